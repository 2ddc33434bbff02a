// Owns turning the files of an HTTPS listener into what TLS is spoken with, and saying what is wrong with them.
import { constants, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { readRegularFile } from '@tessera/runtime';
import { ServerError } from '../server-error.js';
import type { NamedFile, TlsOptions } from './tls-options.js';

/** What stands in the files. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
  readonly clientAuthorities: string | undefined;
}

/** Of each file. */
const MOST_BYTES = 1_048_576;
const CERTIFICATE = /-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----[^]*?-----END \1-----/g;

/** What OpenSSL says of a key, in words; anything else is no key. The first is a question nobody answers. */
const KEY_FAULTS: Readonly<Record<string, string>> = {
  ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED: 'is encrypted, and there is no passphrase',
  ERR_OSSL_BAD_DECRYPT: 'is encrypted with another passphrase',
};

/** @throws ServerError TLS_FILE_UNUSABLE naming the first file that cannot be read */
export async function readTlsFiles(options: TlsOptions): Promise<TlsFiles> {
  const { clientAuthorities } = options;
  return {
    certificate: await read(options.certificate),
    key: await read(options.key),
    clientAuthorities: clientAuthorities && (await read(clientAuthorities)),
  };
}

/**
 * TLS 1.2 or newer, with nothing negotiated anew on a running connection. Where clients are asked for certificates no
 * session is taken up again either: whoever has shown one on a connection has proved there to have its key.
 *
 * @throws ServerError TLS_FILE_UNUSABLE naming the file at fault, and why; nothing of what stands in it
 */
export function credentialsOf(files: TlsFiles, options: TlsOptions): SecureContextOptions {
  const certificate = certificateIn(files.certificate, options.certificate);
  const key = keyIn(files.key, options);
  if (!certificate.checkPrivateKey(key)) {
    throw unusable(options.key, `is not the key of the certificate in ${options.certificate.path}`);
  }
  const noTicket = options.asksForCertificate ? constants.SSL_OP_NO_TICKET : 0;
  const credentials = {
    cert: files.certificate,
    key: files.key,
    passphrase: options.passphrase,
    ca: authoritiesIn(files, options),
    minVersion: 'TLSv1.2',
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | noTicket,
  } satisfies SecureContextOptions;
  try {
    createSecureContext(credentials);
  } catch (error) {
    throw unusable(options.certificate, `is refused by TLS (${codeOf(error)})`, error);
  }
  return credentials;
}

/** When the server's own certificate expires. */
export function expiryOf({ certificate }: TlsFiles): Date {
  return new X509Certificate(certificate).validToDate;
}

/** The server's own certificate first. Files that {@link credentialsOf} took have no other. */
export function certificatesIn({ certificate }: TlsFiles): readonly X509Certificate[] {
  return (certificate.match(CERTIFICATE) ?? []).map((pem) => new X509Certificate(pem));
}

async function read(file: NamedFile): Promise<string> {
  const reading = await readRegularFile(file.path, MOST_BYTES);
  if ('fault' in reading) throw unusable(file, reading.fault, reading.cause);
  return reading.content.toString();
}

function certificateIn(pem: string, file: NamedFile): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw unusable(file, 'holds no certificate in PEM', error);
  }
}

function keyIn(pem: string, { key, passphrase }: TlsOptions): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    throw unusable(key, KEY_FAULTS[codeOf(error)] ?? 'holds no private key in PEM', error);
  }
}

function authoritiesIn(
  { clientAuthorities: pem }: TlsFiles,
  { clientAuthorities: file }: TlsOptions,
): string[] | undefined {
  if (pem === undefined || file === undefined) return undefined;
  const certificates = pem.match(CERTIFICATE) ?? [''];
  for (const certificate of certificates) certificateIn(certificate, file);
  return certificates;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'no reason given';
}

function unusable({ setting, path }: NamedFile, fault: string, cause?: unknown): ServerError {
  return new ServerError('TLS_FILE_UNUSABLE', `${setting}: ${path} ${fault}`, cause);
}
