// The errors of this library. Messages are for administrators and contain no private keys.
import { CodedError } from '@tessera/runtime';

/** Every code a {@link SigningKeyError} can carry. */
export const SIGNING_KEY_ERROR_CODES = [
  'KEYSTORE_INVALID',
  'SEALING_KEY_MISSING',
  'SIGNING_KEY_NOT_REMOVABLE',
  'SIGNING_KEY_SEALED',
] as const;

export type SigningKeyErrorCode = (typeof SIGNING_KEY_ERROR_CODES)[number];

/** The error that this library throws, besides `DatabaseError` and `CryptoError`, with a stable `code`. */
export class SigningKeyError extends CodedError<SigningKeyErrorCode> {}
