// Decodes the header in which a TLS proxy passes on a client certificate.
import { readCertificate } from '@tessera/certificates';
import type { CertificateHeaderFormat } from '../settings/x509-settings.js';

const BYTE_SEQUENCE = /^:([A-Za-z0-9+/]+={0,2}):$/;

/**
 * The certificate in a header's value, as DER.
 *
 * @throws CertificateError CERTIFICATE_UNREADABLE
 * @see nginx, `$ssl_client_escaped_cert`; RFC 9440 §2.1, "Encoding"
 */
export function readCertificateHeader(value: string, format: CertificateHeaderFormat): Uint8Array {
  return readCertificate(format === 'nginx' ? unescaped(value) : byteSequence(value));
}

/** Returns an undecodable text unchanged; `readCertificate` refuses it. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Returns `:` for any other text, which `readCertificate` refuses. */
function byteSequence(value: string): string {
  return BYTE_SEQUENCE.exec(value.trim())?.[1] ?? ':';
}
