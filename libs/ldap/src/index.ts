// Authenticates users in an LDAP directory.
export { LdapDirectory } from './ldap-directory.js';
export type { LdapError, LdapErrorCode } from './ldap-error.js';
export type {
  GroupOptions,
  LdapOptions,
  NamedUsers,
  SearchedUsers,
  ServiceAccount,
} from './ldap-options.js';
export type { LdapUser, LdapVerdict, PasswordState } from './ldap-user.js';
export type { PasswordVerdict } from './password-change.js';
export type { PasswordChangeKind, PasswordRefusal } from './password-modify.js';
export type { LdapRefusal } from './result-codes.js';
