import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PasswordHashing } from '@tessera/crypto';
import { createTestDatabase } from '../../../test/support/database.js';
import { AccountImport, type ImportOptions } from './account-import.js';
import { AccountStore } from './account-store.js';
import { UserAccount } from './user-account.entity.js';

const hashing = new PasswordHashing({ memory: 8, iterations: 1, maxRunning: 2, maxWaiting: 0 });

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let store: AccountStore;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [UserAccount] });
  store = AccountStore.of(database.dataSource);
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('delete from user_account'));

const run = (text: string, options: Partial<ImportOptions> = {}) =>
  new AccountImport(store, hashing).run(Buffer.from(text), { format: 'csv', ...options });
const runJson = (items: readonly object[], options: Partial<ImportOptions> = {}) =>
  run(JSON.stringify(items), { ...options, format: 'json' });
const names = async () => (await store.list({ limit: 100 })).map(({ name }) => name);

describe('all or nothing', () => {
  test.each<[string, string, Record<string, string>]>([
    ['a violation in one line', 'a,x,\nb,,\n', { position: 'line 3', field: 'password' }],
    ['a line too short', 'a,x,\nb\n', { position: 'line 3' }],
    ['a name twice', 'J\u00fcrgen,x,\nJu\u0308rgen,y,\n', { position: 'line 3', field: 'name' }],
    ['a name that exists', 'a,x,\nold,y,\n', { position: 'line 3', field: 'name' }],
  ])('%s keeps all lines out', async (_what, lines, violation) => {
    await store.add({ name: 'old', passwordHash: 'kept' });
    const report = await run(`name,password,mail\n${lines}`);
    expect(report).toEqual({
      added: 0,
      updated: 0,
      violations: [expect.objectContaining(violation)],
      skipped: [],
      notes: [],
    });
    expect(await names()).toEqual(['old']);
  });

  test('all violations come in the order of the file, of whatever kind they are', async () => {
    await store.add({ name: 'old', passwordHash: 'kept' });
    const { violations } = await run('name,password\n b,x\nold,x\nc\nd,x\nd,x\ne,\n');
    expect(violations.map(({ position }) => position)).toEqual([
      'line 2',
      'line 3',
      'line 4',
      'line 6',
      'line 7',
    ]);
  });

  test('a name that another writer adds concurrently keeps all lines out', async () => {
    const racing = new PasswordHashing({ memory: 8, iterations: 1, maxRunning: 1 });
    const hash = racing.hash.bind(racing);
    racing.hash = async (password) => {
      await store.add({ name: 'b', passwordHash: 'theirs' }).catch(() => undefined);
      return hash(password);
    };
    const work = new AccountImport(store, racing).run(Buffer.from('name,password\na,x\nb,y\n'), {
      format: 'csv',
    });
    await expect(work).rejects.toMatchObject({ code: 'ACCOUNT_EXISTS' });
    expect(await names()).toEqual(['b']);
  });

  test('bytes that are not UTF-8 are refused', async () => {
    const latin = Buffer.from('name,password\nJ\u00fcrgen,x\n', 'latin1');
    const work = new AccountImport(store, hashing).run(latin, { format: 'csv' });
    await expect(work).rejects.toMatchObject({ code: 'ACCOUNT_IMPORT_UNREADABLE' });
  });

  test('skipFaulty imports the valid lines, and reports the others', async () => {
    const report = await run('name,password\na,x\nb,\nc,z\n', { skipFaulty: true });
    expect(report).toMatchObject({ added: 2, updated: 0, violations: [{ position: 'line 3' }] });
    expect(await names()).toEqual(['a', 'c']);
  });

  test('dryRun counts and finds violations, and writes nothing', async () => {
    await store.add({ name: 'old', passwordHash: 'kept' });
    const options = { dryRun: true, update: true };
    expect(await run('name,password\na,x\nold,y\n', options)).toMatchObject({
      added: 1,
      updated: 1,
    });
    expect((await run('name,password\na,\n', options)).violations).toHaveLength(1);
    expect(await store.find('old')).toMatchObject({ passwordHash: 'kept' });
    expect(await names()).toEqual(['old']);
  });
});

describe('an import', () => {
  test('hashes passwords, keeps hashes, and sets the fields of each line', async () => {
    const hash = await hashing.hash('given');
    const report = await runJson([
      { name: 'a', password: 'typed', attributes: { mail: 'a@example.org' }, disabled: true },
      { name: 'b', passwordHash: hash, expires: '2027-06-30' },
    ]);
    expect(report).toEqual({ added: 2, updated: 0, violations: [], skipped: [], notes: [] });
    const a = await store.find('a');
    expect(a).toMatchObject({ attributes: { mail: ['a@example.org'] }, disabled: true });
    expect(await hashing.verify(a?.passwordHash ?? '', 'typed')).toBe(true);
    expect(await store.find('b')).toMatchObject({
      passwordHash: hash,
      disabled: false,
      expiresAt: new Date('2027-06-30T00:00:00Z'),
    });
  });

  test('of many accounts requests no more concurrent hashes than run at once', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `user${index},x\n`).join('');
    expect(await run(`name,password\n${lines}`)).toMatchObject({ added: 500, violations: [] });
  });

  test('of an empty file changes nothing', async () => {
    expect(await run('name,password\n')).toEqual({
      added: 0,
      updated: 0,
      violations: [],
      skipped: [],
      notes: [],
    });
  });
});

describe('an import of another format', () => {
  const bcrypt = '$2b$04$abcdefghijklmnopqrstuuWPyT3zuK3JxmyXx5UFcdTiysSm3GF5K';
  const ldif = `dn: uid=a\nobjectClass: person\nuid: a\nuserPassword: {BCRYPT}${bcrypt}\n
dn: cn=staff\nobjectClass: groupOfNames\n
dn: uid=b\nobjectClass: person\nuid: b\nuserPassword: Mellon\nmail: b@example.org\n`;

  test('htpasswd keeps the hashes', async () => {
    expect(await run(`a:${bcrypt}\n`, { format: 'htpasswd' })).toMatchObject({ added: 1 });
    expect(await store.find('a')).toMatchObject({ passwordHash: bcrypt });
  });

  test('LDIF keeps hashes, hashes passwords, and reports skipped entries', async () => {
    expect(await run(ldif, { format: 'ldif' })).toEqual({
      added: 2,
      updated: 0,
      notes: [],
      violations: [],
      skipped: [{ position: 'line 6', reason: 'is not a person' }],
    });
    const [a, b] = [await store.find('a'), await store.find('b')];
    expect(await hashing.verify(a?.passwordHash ?? '', 'p\u00e4sswort')).toBe(true);
    expect(await hashing.verify(b?.passwordHash ?? '', 'Mellon')).toBe(true);
    expect(b).toMatchObject({ attributes: { mail: ['b@example.org'] }, disabled: false });
  });

  test('LDIF with an unsupported hash keeps all out, and quotes nothing', async () => {
    const report = await run(ldif.replace('Mellon', '{SHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk='), {
      format: 'ldif',
    });
    expect(report).toMatchObject({
      added: 0,
      violations: [{ position: 'line 9', field: 'passwordHash' }],
    });
    expect(JSON.stringify(report)).not.toContain('2jmj');
    expect(await names()).toEqual([]);
  });

  test('LDIF updates only its fields, and never enables', async () => {
    await store.add({ name: 'a', passwordHash: 'kept', disabled: true, attributes: { sn: ['x'] } });
    const entry = 'dn: uid=a\nobjectClass: person\nuid: a\nmail: m\n';
    expect(await run(entry, { format: 'ldif', update: true })).toMatchObject({ updated: 1 });
    expect(await store.find('a')).toMatchObject({
      passwordHash: 'kept',
      disabled: true,
      attributes: { sn: ['x'], mail: ['m'] },
    });
  });

  test('LDIF takes its options', async () => {
    const options = { nameAttribute: 'mail', attributes: ['uid'] };
    await run(ldif.replace('\nuid: a', '\nuid: a\nmail: m'), { format: 'ldif', ldif: options });
    expect(await store.list({ limit: 9 })).toMatchObject([
      { name: 'b@example.org', attributes: { uid: ['b'] } },
      { name: 'm', attributes: { uid: ['a'] } },
    ]);
  });
});

describe('an update', () => {
  const update = { update: true };
  const before = {
    name: 'a',
    passwordHash: 'kept',
    attributes: { mail: ['old'], phone: ['1'] },
    disabled: true,
    expiresAt: new Date('2027-06-30T00:00:00Z'),
  };

  test.each<[string, string, object]>([
    ['of names alone changes nothing', 'name\na\n', before],
    ['with an empty password keeps the password', 'name,password\na,\n', before],
    [
      'changes the attributes that have a column',
      'name,mail\na,new\n',
      { ...before, attributes: { mail: ['new'], phone: ['1'] } },
    ],
    [
      'removes an attribute whose cell is empty',
      'name,mail\na,\n',
      { ...before, attributes: { phone: ['1'] } },
    ],
    ['enables by an empty cell', 'name,disabled\na,\n', { ...before, disabled: false }],
    ['lifts the expiry by an empty cell', 'name,expires\na,\n', { ...before, expiresAt: null }],
  ])('%s', async (_what, text, after) => {
    await store.add(before);
    expect(await run(text, update)).toEqual({
      added: 0,
      updated: 1,
      violations: [],
      skipped: [],
      notes: [],
    });
    const account = await store.find('a');
    expect(account).toMatchObject(after);
    expect(account?.attributes).toEqual(Reflect.get(after, 'attributes'));
  });

  test('sets a new password', async () => {
    await store.add(before);
    await run('name,password\na,fresh\n', update);
    const account = await store.find('a');
    expect(await hashing.verify(account?.passwordHash ?? '', 'fresh')).toBe(true);
  });

  test('adds the accounts that do not exist, which need a password', async () => {
    await store.add(before);
    expect(await run('name,password\na,\nb,x\n', update)).toMatchObject({ added: 1, updated: 1 });
    expect((await run('name\nc\n', update)).violations).toMatchObject([{ field: 'password' }]);
  });
});
