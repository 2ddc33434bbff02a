// Owns the one fault of this library: a login that is refused before anybody looks at it.

/** The message is public; it does not tell whether the address or the user name was the reason. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError';
  readonly code = 'AUTHENTICATION_THROTTLED';

  /** @param retryAfter seconds until it is worth trying again, a whole number, at least 1 */
  constructor(readonly retryAfter: number) {
    super('too many failed logins: try again later');
  }
}
