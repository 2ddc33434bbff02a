// Logins at one server: by search and bind, by direct bind, and a search for a user without a password.
import { randomUUID } from 'node:crypto';
import { groupsOf } from './groups.js';
import type { LdapEntry, SearchRequest } from './ldap-connection.js';
import type { LdapOptions, NamedUsers, SearchedUsers } from './ldap-options.js';
import type { LdapServer } from './ldap-server.js';
import { userOf, wantedAttributes, type LdapUser, type LdapVerdict } from './ldap-user.js';
import { fillDn, fillFilter } from './name-templates.js';
import type { PasswordWarning } from './password-controls.js';
import { refusalOf, type LdapRefusal } from './result-codes.js';

/** Checks a name and a password before `signal` aborts. @throws LdapError */
export type Login = (
  server: LdapServer,
  username: string,
  password: string,
  signal: AbortSignal,
) => Promise<LdapVerdict>;

/** Finds a user by name before `signal` aborts; undefined for no user or several. @throws LdapError */
export type LookUp = (
  server: LdapServer,
  username: string,
  signal: AbortSignal,
) => Promise<LdapUser | undefined>;

type Search = (
  server: LdapServer,
  username: string,
  signal: AbortSignal,
) => Promise<readonly LdapEntry[]>;

/** The name of a user's entry, or why there is none. */
type FoundEntry =
  | { readonly dn: string; readonly refused?: never }
  | { readonly dn?: never; readonly refused: LdapRefusal };

/** Finds the name of a user's entry: by a search, or made from the user's name. */
export function entryName(
  options: LdapOptions,
): (server: LdapServer, username: string, signal: AbortSignal) => Promise<FoundEntry> {
  const { users } = options;
  if (!('base' in users)) return (_, name) => Promise.resolve({ dn: fillDn(users.dn, name) });
  const search = searchFor(users, options);
  return async (server, username, signal) => {
    const [entry, another] = await search(server, username, signal);
    if (entry === undefined) return { refused: 'unknown user' };
    return another === undefined ? { dn: entry.dn } : { refused: 'ambiguous user' };
  };
}

/** Searches as the service account, or anonymously. */
export function searchAlone(users: SearchedUsers, options: LdapOptions): LookUp {
  const search = searchFor(users, options);
  return async (server, username, signal) => {
    const [entry, another] = await search(server, username, signal);
    if (entry === undefined || another !== undefined) return undefined;
    return (await verdictOf(server, { entry }, options, signal)).accepted;
  };
}

/**
 * An unknown user also costs a bind, with a random name, so that the time reveals less. It has a random password: that of
 * the user is for the directory that has the user.
 */
export function searchThenBind(users: SearchedUsers, options: LdapOptions): Login {
  const search = searchFor(users, options);
  return async (server, username, password, signal) => {
    const [entry, another] = await search(server, username, signal);
    const isOne = entry !== undefined && another === undefined;
    const [dn, secret] = isOne ? [entry.dn, password] : [dnOfNobody(users.base), randomUUID()];
    const answer = await server.binds.use(
      (connection) => connection.bind(dn, secret, signal),
      signal,
    );
    const refused = refusalOf(answer);
    if (entry === undefined) return { refused: 'unknown user' };
    if (another !== undefined) return { refused: 'ambiguous user' };
    return refused === undefined
      ? verdictOf(server, { entry, warning: answer.warning }, options, signal)
      : { refused };
  };
}

/** Binds as the user, who then reads their own entry. */
export function directBind(users: NamedUsers, options: LdapOptions): Login {
  const wanted = wantedOf(options);
  return (server, username, password, signal) => {
    const base = fillDn(users.dn, username);
    return server.binds.use(async (connection) => {
      const answer = await connection.bind(base, password, signal);
      const refused = refusalOf(answer);
      if (refused !== undefined) return { refused };
      const own = { base, scope: 'base', filter: '(objectClass=*)', ...wanted } as const;
      const [entry] = await connection.search(own, signal);
      if (entry === undefined) return { refused: 'no usable id' };
      return userOf(entry, options, answer.warning);
    }, signal);
  };
}

/** The user of an entry, with the groups if they are wanted. */
async function verdictOf(
  server: LdapServer,
  { entry, warning }: { readonly entry: LdapEntry; readonly warning?: PasswordWarning | undefined },
  options: LdapOptions,
  signal: AbortSignal,
): Promise<LdapVerdict> {
  const verdict = userOf(entry, options, warning);
  const { groups } = options;
  if (groups === undefined || verdict.accepted === undefined) return verdict;
  const values = await server.searches.use(
    (connection) => groupsOf(connection, entry.dn, groups, signal),
    signal,
  );
  const named = values.length === 0 ? {} : { [groups.attribute]: values };
  const { id, attributes } = verdict.accepted;
  return { ...verdict, accepted: { id, attributes: { ...attributes, ...named } } };
}

function searchFor({ base, scope, filter: template }: SearchedUsers, options: LdapOptions): Search {
  const wanted = wantedOf(options);
  return (server, username, signal) => {
    const filter = fillFilter(template, username);
    return server.searches.use(
      (connection) => connection.search({ base, scope, filter, ...wanted }, signal),
      signal,
    );
  };
}

function wantedOf(options: LdapOptions): Pick<SearchRequest, 'attributes' | 'binary'> {
  return { attributes: wantedAttributes(options), binary: options.binaryAttributes };
}

function dnOfNobody(base: string): string {
  return `cn=${randomUUID()},${base}`;
}
