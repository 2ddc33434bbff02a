import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AccountStore, type NewAccount, UserAccount } from '@tessera/accounts';
import { runTessera, TERMINAL_CONTROLS } from '../../../../test/support/command-line.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';

const alice: NewAccount = {
  name: 'alice',
  passwordHash: 'the hash of alice',
  attributes: { mail: ['a@example.org'], memberOf: ['x', 'y'] },
  expiresAt: new Date('2099-06-30T00:00:00Z'),
};

let database: TestDatabase;
let store: AccountStore;
let directory: string;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [UserAccount] });
  store = AccountStore.of(database.dataSource);
  directory = await mkdtemp(join(tmpdir(), 'tessera-cli-'));
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});
beforeEach(async () => {
  await database.dataSource.query('delete from user_account');
  await store.add(alice);
});

function tessera(...args: readonly string[]) {
  const settings = [`--database.url=${database.url}`, `--settings.location=${directory}`];
  return runTessera(['user', ...args, ...settings]);
}

describe('an error ends with 1 and one line that names it, and nothing changes', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['remove: an unknown user', ['remove', 'Alice'], /^tessera: there is no account named Alice/],
    ['remove: an invalid name', ['remove', ' a'], /^tessera: an account name must have/],
    ['show: an unknown user', ['show', 'a\u202e'], /^tessera: there is no account named a/],
    ['set: an unknown user', ['set', 'a', '--expires', 'never'], /there is no account named a/],
    ['set: an odd attribute', ['set', 'alice', '--attribute', 'x'], /written name=value, not x/],
    ['set: an invalid date', ['set', 'alice', '--expires', '1.2.'], /^tessera: --expires must/],
    [
      'set: an attribute that holds passwords',
      ['set', 'alice', '--attribute', 'ntHash=hunter2'],
      /^tessera: attribute ntHash is named as if it held passwords/,
    ],
    [
      'set: an attribute that is both set and removed',
      ['set', 'alice', '--remove-attribute', 'mail', '--attribute', 'mail=b'],
      /^tessera: attribute mail is both set and removed/,
    ],
    [
      'set: a password',
      ['set', 'alice', '--password-file', '/dev/null'],
      /unknown option '--password-file'/,
    ],
  ])('%s', async (_what, args, error) => {
    const before = await store.find('alice');
    const { exitCode, stdout, stderr } = await tessera(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(error);
    expect(stderr).not.toMatch(TERMINAL_CONTROLS);
    expect(await store.find('alice')).toEqual(before);
  });
});

test('remove removes one account', async () => {
  await store.add({ name: 'bob', passwordHash: 'x' });
  expect(await tessera('remove', 'alice')).toEqual({
    exitCode: 0,
    stdout: 'removed alice\n',
    stderr: '',
  });
  expect(await store.list({ limit: 10 })).toMatchObject([{ name: 'bob' }]);
});

describe('set', () => {
  const memberOf = ['x', 'y'];
  const mail = ['a@example.org'];
  test.each<[readonly string[], object]>([
    [
      ['--attribute', 'mail=b', '--attribute', 'site=s=t'],
      { attributes: { mail: ['b'], memberOf, site: ['s=t'] } },
    ],
    [
      ['--attribute', 'memberOf=y', '--attribute', 'memberOf=z'],
      { attributes: { mail, memberOf: ['y', 'z'] } },
    ],
    [['--remove-attribute', 'mail', '--remove-attribute', 'memberOf'], { attributes: {} }],
    [['--remove-attribute', 'mail', '--attribute', 'a=b'], { attributes: { memberOf, a: ['b'] } }],
    [['--expires', '2098-01-01'], { expiresAt: new Date('2098-01-01T00:00:00Z') }],
    [['--expires', 'never'], { expiresAt: null }],
  ])('%j changes only those fields', async (options, fields) => {
    const before = await store.find('alice');
    expect(await tessera('set', 'alice', ...options)).toEqual({
      exitCode: 0,
      stdout: 'updated alice\n',
      stderr: '',
    });
    const after = await store.find('alice');
    const [updatedAt, revision] = [expect.any(Date), expect.any(String)];
    expect(after).toEqual({ ...before, ...fields, updatedAt, revision });
    expect(after?.revision).not.toBe(before?.revision);
  });

  test.each<[string, readonly string[]]>([
    ['nothing', []],
    ['only current values', ['--expires', '2099-06-30', '--attribute', 'mail=a@example.org']],
    ['an attribute to remove that is not there', ['--remove-attribute', 'site']],
  ])('reports it where the options contain %s, and writes nothing', async (_what, options) => {
    const before = await store.find('alice');
    expect(await tessera('set', 'alice', ...options)).toEqual({
      exitCode: 0,
      stdout: 'unchanged alice\n',
      stderr: '',
    });
    expect(await store.find('alice')).toEqual(before);
  });
});

describe('show', () => {
  test('has a line for each value, and no hash', async () => {
    await store.disable('alice');
    const { stdout, stderr } = await tessera('show', 'alice');
    expect(stderr).toBe('');
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z$/gm, 'TIME').split('\n')).toEqual([
      'name: alice',
      'state: disabled',
      'expires: TIME',
      'attributes: mail=a@example.org',
      'attributes: memberOf=x',
      'attributes: memberOf=y',
      'created: TIME',
      'updated: TIME',
      'passwordChanged: TIME',
      '',
    ]);
    expect(stdout).not.toContain(alice.passwordHash);
  });

  test('marks empty fields', async () => {
    await store.add({ name: 'bob', passwordHash: 'x' });
    expect((await tessera('show', 'bob')).stdout).toMatch(
      /^name: bob\nstate: active\nexpires: never\nattributes: none\n/,
    );
  });

  test('as JSON, shows what list shows of the user', async () => {
    const { stdout } = await tessera('show', 'alice', '--json');
    expect([JSON.parse(stdout)]).toEqual(JSON.parse((await tessera('list', '--json')).stdout));
    expect(JSON.parse(stdout)).toMatchObject({ name: 'alice', attributes: alice.attributes });
    expect(stdout).not.toContain(alice.passwordHash);
  });

  test.each([[[]], [['--json']]])(
    'no control characters reach the terminal %j',
    async (options) => {
      await addOfEarlierVersion('b\u202e', { '\u202email': ['\u202e', 'a\nb'] });
      const { stdout } = await tessera('show', 'b\u202e', ...options);
      expect(stdout).toContain('202e');
      expect(stdout).not.toMatch(TERMINAL_CONTROLS);
    },
  );

  test.each(['set', 'remove'])('%s: escapes the name in its output', async (command) => {
    await addOfEarlierVersion('b\u202e', {});
    const { stdout } = await tessera(command, 'b\u202e');
    expect(stdout).toMatch(/^\w+ b\\u\{202e\}\n$/);
  });
});

/** Earlier versions took names with invisible characters. */
async function addOfEarlierVersion(name: string, attributes: object): Promise<void> {
  const insert = "insert into user_account (name, password_hash, attributes) values ($1, 'x', $2)";
  await database.dataSource.query(insert, [name, attributes]);
}
