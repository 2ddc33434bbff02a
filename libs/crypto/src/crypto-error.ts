// The errors of this library. Messages are public; the `cause` is for the log.
import { CodedError } from '@tessera/runtime';

/** Every code a {@link CryptoError} can carry. */
export const CRYPTO_ERROR_CODES = [
  'PASSWORD_HASHING_BUSY',
  'CALLER_GONE',
  'PASSWORD_HASHING_SETTINGS',
  'TEXT_UNDECRYPTABLE',
  'CIPHER_UNSUPPORTED',
  'KEY_UNKNOWN',
  'SELECTOR_UNKNOWN',
  'KEY_UNUSABLE',
] as const;

export type CryptoErrorCode = (typeof CRYPTO_ERROR_CODES)[number];

const REQUEST_ERROR_CODES: readonly CryptoErrorCode[] = [
  'TEXT_UNDECRYPTABLE',
  'SELECTOR_UNKNOWN',
  'KEY_UNKNOWN',
];

/** What this library throws: a stable `code`, a message without secrets, a private `cause`. */
export class CryptoError extends CodedError<CryptoErrorCode> {
  /** True where the request is invalid: its text, selector or alias. */
  get isRequestError(): boolean {
    return REQUEST_ERROR_CODES.includes(this.code);
  }

  /** True where the same call may succeed later. */
  override get isTemporary(): boolean {
    return this.code === 'PASSWORD_HASHING_BUSY' || this.code === 'CALLER_GONE';
  }
}

/** @param message starts with the path of a key from a file, and never quotes the key */
export function keyUnusable(message: string, cause?: unknown): CryptoError {
  return new CryptoError('KEY_UNUSABLE', message, cause);
}
