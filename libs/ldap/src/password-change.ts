// Changes the password of a user at one server: with the user's own rights or, where the old password does not serve for a
// login any more, with those of the account that searches.
import { loggerFor } from '@tessera/logging';
import type { LdapConnection } from './ldap-connection.js';
import type { LdapOptions } from './ldap-options.js';
import type { LdapServer } from './ldap-server.js';
import { entryName } from './login.js';
import {
  passwordRefusalOf,
  type PasswordChangeKind,
  type PasswordModification,
  type PasswordRefusal,
} from './password-modify.js';
import { refusalOf, type LdapRefusal } from './result-codes.js';

const log = loggerFor('ldap');

export interface NewPassword {
  readonly username: string;
  readonly oldPassword: string;
  readonly newPassword: string;
}

export type PasswordVerdict =
  | { readonly outcome: 'changed' }
  /** The user, as at a login. */
  | { readonly outcome: 'user refused'; readonly reason: LdapRefusal }
  | { readonly outcome: 'password refused'; readonly reason: PasswordRefusal }
  /** The server was lost after the request, so it may be done. */
  | { readonly outcome: 'unknown'; readonly error: unknown };

/** @throws LdapError where nothing was changed */
export type ChangePassword = (
  server: LdapServer,
  change: NewPassword,
  signal: AbortSignal,
) => Promise<PasswordVerdict>;

export function changePassword(options: LdapOptions, kind: PasswordChangeKind): ChangePassword {
  const find = entryName(options);
  return async (server, { username, oldPassword, newPassword }, signal) => {
    const found = await find(server, username, signal);
    if (found.refused !== undefined) return { outcome: 'user refused', reason: found.refused };
    const modification = { kind, dn: found.dn, oldPassword, newPassword };
    const bound = await server.binds.use(
      (connection) => changeBound(connection, modification, signal),
      signal,
    );
    if (bound !== 'by another') return bound;
    if (!('account' in options.users) || options.users.account === undefined) {
      return { outcome: 'password refused', reason: 'change not permitted' };
    }
    return server.searches.use((connection) => modify(connection, modification, signal), signal);
  };
}

/** Binds as the user. An expired password is right, but may not bind: another account has to change it. */
async function changeBound(
  connection: LdapConnection,
  modification: PasswordModification,
  signal: AbortSignal,
): Promise<PasswordVerdict | 'by another'> {
  const { dn, oldPassword } = modification;
  const answer = await connection.bind(dn, oldPassword, signal);
  const reason = refusalOf(answer);
  const isRight = reason === 'password expired' || reason === 'password must change';
  if (reason !== undefined && !isRight) return { outcome: 'user refused', reason };
  return answer.code === 0 ? modify(connection, modification, signal) : 'by another';
}

/** Never throws once the request may have reached the server: it must not be sent again, here or to another server. */
async function modify(
  connection: LdapConnection,
  modification: PasswordModification,
  signal: AbortSignal,
): Promise<PasswordVerdict> {
  const answer = await connection
    .modifyPassword(modification, signal)
    .catch((error: unknown) => ({ error }));
  if ('error' in answer) return { outcome: 'unknown', error: answer.error };
  const reason = passwordRefusalOf(answer);
  if (reason === 'change not permitted') {
    log.warn(
      { result: answer.code, said: answer.message },
      'a directory does not let a user change a password',
    );
  }
  return reason === undefined ? { outcome: 'changed' } : { outcome: 'password refused', reason };
}
