// The errors of this library. Messages are for administrators and hold no password and no hash.

/** Every code an {@link AccountError} can carry. */
export const ACCOUNT_ERROR_CODES = [
  'ACCOUNT_EXISTS',
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_INVALID',
  'ACCOUNT_IMPORT_UNREADABLE',
] as const;

export type AccountErrorCode = (typeof ACCOUNT_ERROR_CODES)[number];

/** What this library throws, besides the errors of an unreachable database: a stable `code`. */
export class AccountError extends Error {
  override readonly name = 'AccountError';

  constructor(
    readonly code: AccountErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
