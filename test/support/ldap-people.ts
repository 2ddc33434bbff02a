// Users in the test directories, and client options that find them.
import type { LdapOptions, SearchedUsers } from '@tessera/ldap';
import { BASE, PEOPLE, SERVICE_ACCOUNT, type Entry } from './slapd.js';

export const PASSWORD = 'Mellon \u{1f5dd} pass=w,rt';

/** An entry whose DN contains the user name. */
export function person(uid: string, more: Partial<Entry> = {}): Entry {
  return {
    dn: `uid=${escapeEveryByte(uid)},${PEOPLE}`,
    objectClass: ['inetOrgPerson', 'extensibleObject'],
    uid,
    cn: uid,
    sn: 'Person',
    userPassword: PASSWORD,
    ...more,
  };
}

export const SEARCHED: SearchedUsers = {
  base: BASE,
  scope: 'sub',
  filter: '(uid={username})',
  account: SERVICE_ACCOUNT,
};

export const NAMED = { dn: `uid={username},${PEOPLE}` };

/** Timeouts are short, so that tests of them are fast. */
export function optionsFor(urls: readonly string[], more: Partial<LdapOptions> = {}): LdapOptions {
  return {
    name: 'ldap',
    urls,
    startTls: false,
    users: SEARCHED,
    idAttribute: 'uid',
    attributes: { mail: 'mail', seeAlso: 'groups' },
    connectTimeout: 1_000,
    timeout: 2_000,
    retryInterval: 60_000,
    poolSize: 4,
    ...more,
  };
}

/** Escapes every byte as `\xx`, independently of the escaping under test. */
function escapeEveryByte(text: string): string {
  return Buffer.from(text)
    .toString('hex')
    .replaceAll(/../g, String.raw`\$&`);
}
