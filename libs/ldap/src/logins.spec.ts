// Logins at one working server.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { assert, asyncProperty, constantFrom, oneof, sample, string } from 'fast-check';
import { configureLogging } from '@tessera/logging';
import {
  NAMED,
  optionsFor,
  PASSWORD,
  person,
  SEARCHED,
} from '../../../test/support/ldap-people.js';
import {
  describeWithSlapd,
  PEOPLE,
  BASE,
  SERVICE_ACCOUNT,
  Slapd,
} from '../../../test/support/slapd.js';
import { until } from '../../../test/support/until.js';
import { LdapProxy } from '../../../test/support/tcp-proxy.js';
import { anyText } from '../../../test/support/any-text.js';
import { LdapDirectory } from './ldap-directory.js';
import type { LdapOptions } from './ldap-options.js';

/** Names that mean something else wherever an escape is missing. */
const STRANGE = [
  'a*',
  'a)(uid=*',
  'a\\2a',
  'a,ou=people',
  'a+cn=b',
  '#a;<b>="c"#',
  'Jürgen O’Neil 猫',
  '$&',
  'EXTERNAL',
];
/** Random names, each with an entry. */
const GENERATED = namesApart(
  sample(
    string({ unit: constantFrom(...'ab*()\\,+"=#;<> 2c猫\u{1f5dd}'), minLength: 4, maxLength: 12 }),
    { seed: 7, numRuns: 200 },
  ),
);
const HOSTILE = [
  ['*', 'al*', ')(uid=*', '*)(|(uid=*', '\\', '\\61lice', 'alice)(', 'uid=alice'],
  ['alice,ou=people', 'alice+cn=alice', '"alice"', 'alice,', '=', '<>', '#616c696365'],
  ['nobody', '__proto__', '\ud800', 'x'.repeat(1_025), '\0', 'alice\0', 'PLAIN', ''],
].flat();
const MEMBER = `cn=staff,${BASE}`;
const PHOTO = Buffer.from('ffd8', 'hex');
const ENTRIES = [
  ...[...STRANGE, ...GENERATED].map((name) => person(name)),
  person('alice', {
    mail: ['a@example.org', 'alice@example.org'],
    seeAlso: [MEMBER, 'cn=admin,dc=example,dc=org'],
    jpegPhoto: [PHOTO, 'no text: \0', 'a text'],
  }),
  person('twice', { cn: 'same', mail: 'bob@example.org' }),
  person('bob', { cn: 'same', mail: 'bob@example.org' }),
  person('third', { cn: 'same', mail: 'bob@example.org' }),
  person('several', { uid: ['several', 'names'] }),
  person('unhashed', { userPassword: [] }),
  {
    dn: `ou=elsewhere,${BASE}`,
    objectClass: ['referral', 'extensibleObject'],
    ou: 'elsewhere',
    ref: 'ldap://127.0.0.1:1/dc=elsewhere',
  },
];

let slapd: Slapd;
const opened: LdapDirectory[] = [];
const proxies: LdapProxy[] = [];

async function directory(more: Partial<LdapOptions> = {}): Promise<LdapDirectory> {
  const made = await LdapDirectory.open(optionsFor([slapd.url], more));
  opened.push(made);
  return made;
}

describeWithSlapd('a login', () => {
  beforeAll(async () => {
    configureLogging({ application: 'test', levels: {}, write: () => {} });
    slapd = await Slapd.start({ entries: ENTRIES });
  });
  afterAll(async () => {
    for (const each of opened) each.close();
    for (const proxy of proxies) await proxy.close();
    await slapd.remove();
  });

  const WAYS = [
    ['by search', SEARCHED],
    ['by name', NAMED],
  ] as const;

  test.each(WAYS.flatMap(([way, users]) => HOSTILE.map((name) => [way, name, users] as const)))(
    '%s finds no user named %j',
    async (_way, name, users) => {
      const found = await (await directory({ users })).authenticate(name, PASSWORD);
      // A bind with an unknown name has the result of a wrong password.
      expect(['unknown user', 'wrong password']).toContain(found.refused);
    },
  );

  test.each(WAYS.flatMap(([way, users]) => STRANGE.map((name) => [way, name, users] as const)))(
    '%s lets in %j, who has that name',
    async (_way, name, users) => {
      const verdict = await (await directory({ users })).authenticate(name, PASSWORD);
      expect(verdict).toEqual({ accepted: { id: name, attributes: {} } });
    },
  );

  test.each(
    WAYS.flatMap(([way, users]) =>
      ['', 'mellon', `${PASSWORD}\0`, '\ud800', 'x'.repeat(1_025)].map(
        (password) => [way, password, users] as const,
      ),
    ),
  )('%s refuses the password %j', async (_way, password, users) => {
    const verdict = await (await directory({ users })).authenticate('alice', password);
    expect(verdict).toEqual({ refused: 'wrong password' });
  });

  test.each([
    ['no password', 'alice', ''],
    ['a password with a NUL', 'alice', `${PASSWORD}\0`],
    ['a password beyond all bounds', 'alice', 'x'.repeat(70_000)],
    ['no name', '', PASSWORD],
    ['a name with a NUL', 'alice\0', PASSWORD],
    ['a name beyond all bounds', 'x'.repeat(70_000), PASSWORD],
  ])('with %s never reaches the server', async (_what, name, password) => {
    const proxy = await LdapProxy.start(slapd.url);
    proxies.push(proxy);
    for (const users of [SEARCHED, NAMED]) {
      const ldap = await directory({ urls: [proxy.url], users });
      expect(await ldap.authenticate(name, password)).toHaveProperty('refused');
    }
    expect(proxy.accepted).toBe(0);
  });

  test('of an unknown user also costs a bind, with a random name', async () => {
    const { mark } = slapd;
    await (await directory()).authenticate('nobody', PASSWORD);
    await until('the bind is noted', () =>
      /BIND dn="cn=[0-9a-f-]{36},dc=example,dc=org" method=128/.test(slapd.logSince(mark)),
    );
  });

  test.each(WAYS)('%s answers with the directory’s spelling of the name', async (_way, users) => {
    const { accepted } = await (await directory({ users })).authenticate('ALICE', PASSWORD);
    expect(accepted?.id).toBe('alice');
  });

  test.each(WAYS)('%s gives all values of mapped attributes', async (_way, users) => {
    const attributes = { MAIL: 'address', SeeAlso: 'groups', cn: 'groups', jpegPhoto: 'photo' };
    const { accepted } = await (
      await directory({ users, attributes })
    ).authenticate('alice', PASSWORD);
    expect(accepted?.attributes).toEqual({
      address: ['a@example.org', 'alice@example.org'],
      groups: [MEMBER, 'cn=admin,dc=example,dc=org', 'alice'],
      photo: [PHOTO.toString('base64'), Buffer.from('no text: \0').toString('base64'), 'a text'],
    });
  });

  test('by a filter that finds two is refused, whichever knows the password', async () => {
    const { mark } = slapd;
    const users = { ...SEARCHED, filter: '(|(uid={username})(mail={username}))' };
    const found = await (await directory({ users })).authenticate('bob@example.org', PASSWORD);
    expect(found).toEqual({ refused: 'ambiguous user' });
    await until('the server has sent two and no more', () =>
      slapd.logSince(mark).includes('nentries=2'),
    );
  });

  test.each([
    ['that has several values', 'uid', 'several'],
    ['that the entry has not', 'employeeNumber', 'alice'],
    ['that is no text', 'jpegPhoto', 'alice'],
  ])('is refused by an id %s', async (_what, idAttribute, name) => {
    for (const users of [SEARCHED, NAMED]) {
      const verdict = await (await directory({ users, idAttribute })).authenticate(name, PASSWORD);
      expect(verdict).toEqual({ refused: 'no usable id' });
    }
  });

  test('does not reveal an unusable id to a wrong password', async () => {
    const found = await (await directory()).authenticate('several', 'wrong');
    expect(found).toEqual({ refused: 'wrong password' });
  });

  test('of a user without a password is refused', async () => {
    const verdict = await (await directory()).authenticate('unhashed', PASSWORD);
    expect(verdict).toHaveProperty('refused');
  });

  test('finds only users directly below the base with scope one', async () => {
    const below = await directory({ users: { ...SEARCHED, base: PEOPLE, scope: 'one' } });
    expect(await below.authenticate('alice', PASSWORD)).toHaveProperty('accepted');
    const above = await directory({ users: { ...SEARCHED, scope: 'one' } });
    expect(await above.authenticate('alice', PASSWORD)).toEqual({ refused: 'unknown user' });
  });

  test('follows no referral to another server', async () => {
    const users = { ...SEARCHED, base: `ou=elsewhere,${BASE}` };
    await expect(
      (await directory({ users })).authenticate('alice', PASSWORD),
    ).rejects.toMatchObject({
      code: 'LDAP_REFUSED',
    });
  });

  test.each([
    [
      'the password of the service account is wrong',
      { account: { ...SERVICE_ACCOUNT, password: 'geheim' } },
    ],
    [
      'the service account does not exist',
      { account: { dn: 'cn=x,dc=example,dc=org', password: 'geheim' } },
    ],
    ['anonymous searches are not allowed', { account: undefined }],
    ['there is no such base', { base: 'ou=nothing,dc=example,dc=org' }],
  ])('cannot be decided where %s', async (_what, users) => {
    const searching = await directory({ users: { ...SEARCHED, ...users } });
    const failed = searching.authenticate('alice', PASSWORD);
    await expect(failed).rejects.toMatchObject({ code: 'LDAP_REFUSED', isTemporary: true });
    const error = await failed.catch(
      (fault: unknown) => String(fault) + String((fault as Error).cause),
    );
    expect(error).not.toContain('geheim');
  });

  test.each(WAYS)('%s finds exactly the given name among all names', async (_way, users) => {
    const ldap = await directory({ users, poolSize: 8 });
    for (const name of GENERATED) {
      const verdict = await ldap.authenticate(name, PASSWORD);
      expect(verdict).toEqual({ accepted: { id: name, attributes: {} } });
    }
    expect(GENERATED.length).toBeGreaterThan(150);
  });

  const anyName = oneof(
    anyText({ maxLength: 40 }),
    string({ unit: constantFrom(...'ab*()\\,+"=#;<> 2c') }),
  );

  test.each(WAYS)('%s accepts only the user with the given name', async (_way, users) => {
    const ldap = await directory({ users });
    const known = new Map([...STRANGE, ...GENERATED, 'alice'].map((name) => [plain(name), name]));
    await assert(
      asyncProperty(anyName, async (name) => {
        const { accepted } = await ldap.authenticate(name, PASSWORD);
        if (accepted !== undefined) expect(accepted.id).toBe(known.get(plain(name)));
      }),
      { numRuns: 200 },
    );
  });

  test('of fifty users at once gives each their own answer', async () => {
    const ldap = await directory();
    const names = Array.from({ length: 50 }, (_, index) => STRANGE[index % STRANGE.length] ?? '');
    const verdicts = await Promise.all(
      names.map((name, index) => ldap.authenticate(name, index % 3 === 0 ? 'wrong' : PASSWORD)),
    );
    expect(verdicts).toEqual(
      names.map((id, index) =>
        index % 3 === 0 ? { refused: 'wrong password' } : { accepted: { id, attributes: {} } },
      ),
    );
  });
});

/** A directory ignores case, outer white space and repeated white space. */
function plain(name: string): string {
  return name.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}

function namesApart(names: readonly string[]): readonly string[] {
  return [...new Set(names.map(plain))].filter((name) => name !== '');
}
