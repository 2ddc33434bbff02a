// Owns the two ways of a login on one server: search for the user's entry and bind as it, or bind at once by a
// name made from the user's.
import { randomUUID } from 'node:crypto';
import type { LdapOptions, NamedUsers, SearchedUsers } from './ldap-options.js';
import type { LdapServer } from './ldap-server.js';
import { userOf, wantedAttributes, type LdapVerdict } from './ldap-user.js';
import { fillDn, fillFilter } from './name-templates.js';
import { refusalOf } from './result-codes.js';

/** Asks a server about a name and a password within the time of `signal`. @throws LdapError */
export type Login = (
  server: LdapServer,
  username: string,
  password: string,
  signal: AbortSignal,
) => Promise<LdapVerdict>;

/** A user that is not found costs a bind too, of a name that nobody has: the time tells less. */
export function searchThenBind(users: SearchedUsers, options: LdapOptions): Login {
  const { base, scope, filter: template } = users;
  const attributes = wantedAttributes(options);
  return async (server, username, password, signal) => {
    const filter = fillFilter(template, username);
    const [entry, another] = await server.searches.use(
      (connection) => connection.search({ base, scope, filter, attributes }, signal),
      signal,
    );
    const dn = entry === undefined || another !== undefined ? nobody(base) : entry.dn;
    const answer = await server.binds.use(
      (connection) => connection.bind(dn, password, signal),
      signal,
    );
    const refused = refusalOf(answer);
    if (entry === undefined) return { refused: 'unknown user' };
    if (another !== undefined) return { refused: 'ambiguous user' };
    return refused === undefined ? userOf(entry, options) : { refused };
  };
}

/** The user reads the own entry: nobody else is there to. */
export function directBind(users: NamedUsers, options: LdapOptions): Login {
  const attributes = wantedAttributes(options);
  return (server, username, password, signal) => {
    const base = fillDn(users.dn, username);
    return server.binds.use(async (connection) => {
      const refused = refusalOf(await connection.bind(base, password, signal));
      if (refused !== undefined) return { refused };
      const own = { base, scope: 'base', filter: '(objectClass=*)', attributes } as const;
      const [entry] = await connection.search(own, signal);
      return entry === undefined ? { refused: 'no usable id' } : userOf(entry, options);
    }, signal);
  };
}

function nobody(base: string): string {
  return `cn=${randomUUID()},${base}`;
}
