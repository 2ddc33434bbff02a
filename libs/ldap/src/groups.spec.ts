// Groups of a user, groups of these groups, and the bounds of the search.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { FakeLdapServer } from '../../../test/support/fake-ldap-server.js';
import { optionsFor, PASSWORD, person } from '../../../test/support/ldap-people.js';
import { BASE, describeWithSlapd, Slapd, type Entry } from '../../../test/support/slapd.js';
import { LdapDirectory } from './ldap-directory.js';
import type { GroupOptions } from './ldap-options.js';

const GROUPS: GroupOptions = { base: BASE, depth: 'nested', value: 'cn', attribute: 'memberOf' };
const dnOf = (cn: string): string => `cn=${cn.replaceAll(/[,+]/g, String.raw`\$&`)},${BASE}`;

const group = (cn: string, ...member: readonly string[]): Entry => ({
  dn: dnOf(cn),
  objectClass: 'groupOfNames',
  cn,
  member,
});

const { dn: alice } = person('alice');
const CHAIN = Array.from({ length: 25 }, (_, level) =>
  group(`level ${level}`, level === 0 ? person('deep').dn : dnOf(`level ${level - 1}`)),
);
const MANY = Array.from({ length: 60 }, (_, index) => group(`of many ${index}`, person('many').dn));

let slapd: Slapd;
let directory: LdapDirectory;

async function open(url: string, groups: Partial<GroupOptions> = {}): Promise<LdapDirectory> {
  directory = await LdapDirectory.open(
    optionsFor([url], { groups: { ...GROUPS, ...groups }, timeout: 10_000 }),
  );
  return directory;
}

afterEach(() => directory.close());

async function groupsOf(name: string, groups: Partial<GroupOptions> = {}): Promise<unknown> {
  const { accepted } = await (await open(slapd.url, groups)).authenticate(name, PASSWORD);
  directory.close();
  expect(await (await open(slapd.url, groups)).find(name)).toEqual(accepted);
  return accepted?.attributes['memberOf']?.toSorted();
}

describeWithSlapd('the groups of a user', () => {
  beforeAll(async () => {
    configureLogging({ application: 'test', levels: {}, write: () => {} });
    slapd = await Slapd.start({
      database: 'limits * size.soft=80 size.hard=80',
      entries: [
        ...['alice', 'bob', 'nobody', 'deep', 'many', 'everywhere', 'a*)(cn=x'].map((name) =>
          person(name),
        ),
        group('physics', alice),
        group('a, (b) + c*', dnOf('physics')),
        group('staff', dnOf('a, (b) + c*'), person('bob').dn),
        group('loop', dnOf('staff'), dnOf('pool')),
        group('pool', dnOf('loop')),
        group('strange', person('a*)(cn=x').dn),
        ...CHAIN,
        ...Array.from({ length: 81 }, (_, index) =>
          group(`everywhere ${index}`, person('everywhere').dn),
        ),
        ...MANY,
        ...MANY.map(({ dn }, index) => group(`around many ${index}`, dn)),
      ],
    });
  });
  afterAll(() => slapd.remove());

  test.each<[string, string, Partial<GroupOptions>, readonly string[] | undefined]>([
    ['are none without a membership', 'nobody', {}, undefined],
    ['are those that have the user', 'alice', { depth: 'direct' }, ['physics']],
    [
      'and those that have these, also in a loop',
      'alice',
      {},
      ['a, (b) + c*', 'loop', 'physics', 'pool', 'staff'],
    ],
    ['but not those beside them', 'bob', {}, ['loop', 'pool', 'staff']],
    ['are found for a name that looks like a filter', 'a*)(cn=x', {}, ['strange']],
    ['are those below their base', 'alice', { base: `ou=people,${BASE}` }, undefined],
    ['have no value without the attribute', 'alice', { value: 'description' }, undefined],
  ])('%s', async (_rule, name, groups, expected) => {
    expect(await groupsOf(name, groups)).toEqual(expected);
  });

  test('are distinguished names where these are wanted', async () => {
    const dns = (await groupsOf('alice', { depth: 'direct', value: 'dn' })) as readonly string[];
    expect(dns).toEqual([dnOf('physics')]);
  });

  test('are searched by 50 names at a time', async () => {
    expect(await groupsOf('many')).toHaveLength(120);
  });

  test.each([
    ['more levels than 20', 'deep', {}],
    ['more groups than the directory returns', 'everywhere', {}],
    ['a base that is missing', 'alice', { base: `ou=missing,${BASE}` }],
  ])('leave the login undecided with %s', async (_what, name, groups) => {
    await open(slapd.url, groups);
    const login = directory.authenticate(name, PASSWORD);
    await expect(login).rejects.toMatchObject({ code: 'LDAP_REFUSED' });
    expect(directory.isUnavailable).toBe(false);
  });
});

describe('a search for groups', () => {
  test('of Active Directory has its rule of chains', async () => {
    const server = await FakeLdapServer.start();
    await (await open(server.url, { depth: 'active-directory' })).find('alice');
    expect(server.received).toContain('1.2.840.113556.1.4.1941');
    server.close();
  });
});
