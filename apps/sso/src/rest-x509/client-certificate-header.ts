// Owns how proxies write the certificate of a TLS client into a header. Whose headers count is not its affair.
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

/** What cannot be decoded is left as it is, for the reader of certificates to refuse. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Of anything else a text that is no base64. */
function byteSequence(value: string): string {
  return BYTE_SEQUENCE.exec(value.trim())?.[1] ?? ':';
}
