// The error of a login whose password is right, but may no longer be used.
import { CodedError } from '@tessera/runtime';
import type { RefusalReason } from './authentication-handler.js';

export type PasswordErrorCode = 'PASSWORD_EXPIRED' | 'PASSWORD_MUST_CHANGE';

/** Users may be told: handlers refuse for these reasons only after the right password. */
const CODES: ReadonlyMap<RefusalReason, PasswordErrorCode> = new Map([
  ['password expired', 'PASSWORD_EXPIRED'],
  ['password must change', 'PASSWORD_MUST_CHANGE'],
]);

export class PasswordError extends CodedError<PasswordErrorCode> {
  /** @param handler that has found the password right */
  constructor(
    code: PasswordErrorCode,
    readonly handler: string,
  ) {
    super(
      code,
      code === 'PASSWORD_EXPIRED'
        ? 'the password has expired'
        : 'the password must be changed first',
    );
  }

  /** The error for a reason that users may be told; undefined for all others. */
  static of(reason: RefusalReason, handler: string): PasswordError | undefined {
    const code = CODES.get(reason);
    return code && new PasswordError(code, handler);
  }
}
