// The errors of this library. Messages are for administrators and contain no passwords or hashes.
import { CodedError } from '@tessera/runtime';

/** Every code an {@link AccountError} can carry. */
export const ACCOUNT_ERROR_CODES = [
  'ACCOUNT_EXISTS',
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_INVALID',
  'ACCOUNT_IMPORT_UNREADABLE',
] as const;

export type AccountErrorCode = (typeof ACCOUNT_ERROR_CODES)[number];

/** The error that this library throws, besides `DatabaseError`, with a stable `code`. */
export class AccountError extends CodedError<AccountErrorCode> {}
