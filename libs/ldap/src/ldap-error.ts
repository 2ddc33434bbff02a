// The errors of this library. Messages contain no passwords or user names.
import { CodedError } from '@tessera/runtime';

/** Every code an {@link LdapError} can carry. */
export const LDAP_ERROR_CODES = [
  'LDAP_UNAVAILABLE',
  'LDAP_BUSY',
  'LDAP_REFUSED',
  'LDAP_CA_UNREADABLE',
] as const;

export type LdapErrorCode = (typeof LDAP_ERROR_CODES)[number];

/** An error of the directory or of the access to it. A refused user is a verdict, not an error. */
export class LdapError extends CodedError<LdapErrorCode> {
  /** True where the same call may succeed later. Files are read only once. */
  override get isTemporary(): boolean {
    return this.code !== 'LDAP_CA_UNREADABLE';
  }
}

/** The server was not reached, was lost, or did not answer in time. */
export function unavailable(cause: unknown): LdapError {
  return new LdapError('LDAP_UNAVAILABLE', 'The directory is not available.', cause);
}
