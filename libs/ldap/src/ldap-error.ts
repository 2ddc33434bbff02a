// The errors of this library. Messages hold no password and no user's name.

/** Every code an {@link LdapError} can carry. */
export const LDAP_ERROR_CODES = [
  'LDAP_UNAVAILABLE',
  'LDAP_BUSY',
  'LDAP_REFUSED',
  'LDAP_CA_UNREADABLE',
] as const;

export type LdapErrorCode = (typeof LDAP_ERROR_CODES)[number];

/** What this library throws: a fault of the directory or of our access to it, never of a user. */
export class LdapError extends Error {
  override readonly name = 'LdapError';

  constructor(
    readonly code: LdapErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }

  /** True where the same call may succeed later; false for files, which are read at opening alone. */
  get isTemporary(): boolean {
    return this.code !== 'LDAP_CA_UNREADABLE';
  }
}

/** The server cannot be reached, was lost, or did not answer in time. */
export function unavailable(cause: unknown): LdapError {
  return new LdapError('LDAP_UNAVAILABLE', 'The directory is not available.', cause);
}
