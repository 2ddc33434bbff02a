// The errors of this library. Messages name certificates by their subject and contain no keys.
import { CodedError } from '@tessera/runtime';

/** Every code a {@link CertificateError} can carry. */
export const CERTIFICATE_ERROR_CODES = [
  'CERTIFICATE_UNREADABLE',
  'CERTIFICATE_UNTRUSTED',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_NOT_YET_VALID',
  'CERTIFICATE_REVOKED',
  'CERTIFICATE_CRL_UNUSABLE',
  'CERTIFICATE_NOT_FOR_CLIENTS',
  'CERTIFICATE_CONSTRAINTS',
  'CERTIFICATE_WEAK',
  'CERTIFICATE_FILES_UNREADABLE',
] as const;

export type CertificateErrorCode = (typeof CERTIFICATE_ERROR_CODES)[number];

/** The error that this library throws, with a stable `code`. */
export class CertificateError extends CodedError<CertificateErrorCode> {}

/** For malformed bytes or text. */
export function unreadable(what: string, cause?: unknown): CertificateError {
  return new CertificateError('CERTIFICATE_UNREADABLE', what, cause);
}
