// Finding users without a password.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { NAMED, optionsFor, person, SEARCHED } from '../../../test/support/ldap-people.js';
import { BASE, describeWithSlapd, SERVICE_ACCOUNT, Slapd } from '../../../test/support/slapd.js';
import { until } from '../../../test/support/until.js';
import { LdapDirectory } from './ldap-directory.js';
import type { LdapOptions } from './ldap-options.js';

const STRANGE = ['a*', 'a)(uid=*', 'a\\2a', 'a,ou=people', 'Jürgen O’Neil 猫', '$&'];
const MEMBER = `cn=staff,${BASE}`;

let slapd: Slapd;
let searched: LdapDirectory;
const opened: LdapDirectory[] = [];

async function directory(more: Partial<LdapOptions> = {}): Promise<LdapDirectory> {
  const made = await LdapDirectory.open(optionsFor([slapd.url], more));
  opened.push(made);
  return made;
}

test('a user cannot be found while the directory is unavailable', async () => {
  configureLogging({ application: 'test', levels: {}, write: () => {} });
  const away = await LdapDirectory.open(optionsFor(['ldap://127.0.0.1:1']));
  await expect(away.find('alice')).rejects.toMatchObject({ code: 'LDAP_UNAVAILABLE' });
});

describeWithSlapd('a search for a user, without a password', () => {
  beforeAll(async () => {
    const entries = [
      ...STRANGE.map((name) => person(name)),
      person('alice', { mail: ['a@example.org', 'alice@example.org'], seeAlso: MEMBER }),
      person('bob', { mail: 'bob@example.org' }),
      person('twice', { mail: 'bob@example.org' }),
      person('several', { uid: ['several', 'names'] }),
    ];
    slapd = await Slapd.start({ entries });
    searched = await directory();
  });
  afterAll(async () => {
    for (const each of opened) each.close();
    await slapd.remove();
  });

  test.each([
    ['an unknown name', 'nobody'],
    ['a pattern', '*'],
    ['a filter', ')(uid=*'],
    ['an escape', '\\61lice'],
    ['no name', ''],
    ['a NUL', 'alice\0'],
    ['half a character', '\ud800'],
    ['a name beyond all bounds', 'x'.repeat(70_000)],
    ['an entry with several ids', 'several'],
  ])('finds no user for %s', async (_what, name) => {
    expect(await searched.find(name)).toBeUndefined();
  });

  test('finds no user where two match', async () => {
    const users = { ...SEARCHED, filter: '(|(uid={username})(mail={username}))' };
    expect(await (await directory({ users })).find('bob@example.org')).toBeUndefined();
  });

  test.each(STRANGE)('finds %j', async (name) => {
    expect(await searched.find(name)).toEqual({ id: name, attributes: {} });
  });

  test('gives the id in the directory’s spelling, and the mapped attributes', async () => {
    const mail = ['a@example.org', 'alice@example.org'];
    expect(await searched.find('ALICE')).toEqual({
      id: 'alice',
      attributes: { mail, groups: [MEMBER] },
    });
  });

  test('binds only as the service account', async () => {
    const { mark } = slapd;
    await (await directory()).find('alice');
    await until('the search is noted', () => slapd.logSince(mark).includes('nentries=1'));
    const bound = [...slapd.logSince(mark).matchAll(/BIND dn="([^"]*)" method/g)];
    expect(bound.map(([, dn]) => dn)).toEqual([SERVICE_ACCOUNT.dn]);
  });

  test('is refused by a directory of direct binds', async () => {
    await expect((await directory({ users: NAMED })).find('alice')).rejects.toMatchObject({
      code: 'LDAP_REFUSED',
    });
  });
});
