// The error of a login that is refused before its credentials are checked.
import { CodedError } from '@tessera/runtime';

/** The message is public. It does not tell whether the address or the user name is blocked. */
export class ThrottledError extends CodedError<'AUTHENTICATION_THROTTLED'> {
  /** @param retryAfter seconds until another attempt makes sense; a whole number, at least 1 */
  constructor(readonly retryAfter: number) {
    super('AUTHENTICATION_THROTTLED', 'too many failed logins: try again later');
  }
}
