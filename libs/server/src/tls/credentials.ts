// Reads and checks the certificate and key files of an HTTPS listener.
import { constants, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { readRegularFile } from '@tessera/runtime';
import { ServerError } from '../errors/errors.js';
import type { TlsFile, TlsOptions } from './tls-settings.js';

/** The contents of the files, in PEM. */
export interface TlsFileContents {
  readonly certificate: string;
  readonly key: string;
  readonly clientAuthorities: string | undefined;
}

const MAX_BYTES = 1_048_576;
const CERTIFICATE = /-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----[^]*?-----END \1-----/g;

const ENCRYPTED_KEY = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/** OpenSSL's error when its prompt for a passphrase was cancelled. */
const NO_PASSPHRASE = 'ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED';

/** @throws ServerError TLS_FILE_UNUSABLE naming the first file that cannot be read */
export async function readTlsFiles(options: TlsOptions): Promise<TlsFileContents> {
  const { clientAuthorities } = options;
  return {
    certificate: await read(options.certificate),
    key: await read(options.key),
    clientAuthorities: clientAuthorities && (await read(clientAuthorities)),
  };
}

/**
 * TLS 1.2 or newer, without renegotiation. Where client certificates are requested, sessions are not resumed either, so
 * that a client proves on each connection to have the key.
 *
 * @throws ServerError TLS_FILE_UNUSABLE with the file and the reason, without its content
 */
export function credentialsOf(files: TlsFileContents, options: TlsOptions): SecureContextOptions {
  const certificate = certificateIn(files.certificate, options.certificate);
  const key = keyIn(files.key, options);
  if (!certificate.checkPrivateKey(key)) {
    throw unusable(options.key, `is not the key of the certificate in ${options.certificate.path}`);
  }
  const noTicket = options.requestsClientCertificate ? constants.SSL_OP_NO_TICKET : 0;
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
export function expiryOf({ certificate }: TlsFileContents): Date {
  return new X509Certificate(certificate).validToDate;
}

/** The certificates of files that {@link credentialsOf} accepted, the server's own first. */
export function certificatesIn({ certificate }: TlsFileContents): readonly X509Certificate[] {
  return (certificate.match(CERTIFICATE) ?? []).map((pem) => new X509Certificate(pem));
}

async function read(file: TlsFile): Promise<string> {
  const reading = await readRegularFile(file.path, MAX_BYTES);
  if ('error' in reading) throw unusable(file, reading.error, reading.cause);
  return reading.content.toString();
}

function certificateIn(pem: string, file: TlsFile): X509Certificate {
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
    throw unusable(key, keyFault(pem, codeOf(error)), error);
  }
}

// The code does not tell a wrong passphrase: one in about 256 yields bytes with valid padding that are no key.
function keyFault(pem: string, code: string): string {
  if (code === NO_PASSPHRASE) return 'is encrypted, and there is no passphrase';
  if (ENCRYPTED_KEY.test(pem)) return 'is encrypted with another passphrase, or damaged';
  return 'holds no private key in PEM';
}

function authoritiesIn(
  { clientAuthorities: pem }: TlsFileContents,
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

function unusable({ setting, path }: TlsFile, reason: string, cause?: unknown): ServerError {
  return new ServerError('TLS_FILE_UNUSABLE', `${setting}: ${path} ${reason}`, cause);
}
