import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AccountStore, UserAccount } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { runTessera, TERMINAL_CONTROLS } from '../../../../test/support/command-line.js';
import { createTestDatabase } from '../../../../test/support/database.js';

const ARGON2 = '--sso.authentication.accounts.argon2';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
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
beforeEach(() => database.dataSource.query('delete from user_account'));

function tessera(args: readonly string[], input = '') {
  const settings = [
    `--database.url=${database.url}`,
    `--settings.location=${directory}`,
    `${ARGON2}.memory=8`,
    `${ARGON2}.iterations=1`,
  ];
  return runTessera([...args, ...settings], input);
}

const verifies = async (name: string, password: string) =>
  new PasswordHashing().verify((await store.find(name))?.passwordHash ?? '', password);

async function file(name: string, content: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

describe('errors end with 1 and one line that names them', () => {
  test.each<[string, readonly string[], string, RegExp]>([
    ['add: a name that exists', ['add', 'old'], 'x\n', /^tessera: there is an account named old/],
    ['add: an invalid name', ['add', ' a'], 'x\n', /^tessera: an account name must have/],
    ['add: no password', ['add', 'a'], '', /^tessera: there is no password in standard input/],
    ['add: an invalid date', ['add', 'a', '--expires', '1.2.'], 'x\n', /^tessera: --expires/],
    [
      'add: a password among the arguments, which is not repeated',
      ['add', 'a', '--password', 'hunter2'],
      'x\n',
      /^tessera: a password is no argument, (?!.*hunter2).* give --password-stdin or --password-file/,
    ],
    ['passwd: a password among the arguments', ['passwd', 'old', '--password=x'], 'x\n', /-stdin/],
    ['add: no name', ['add'], 'x\n', /^tessera: missing required argument 'name'/],
    ['passwd: an unknown user', ['passwd', 'a'], 'x\n', /^tessera: there is no account named a/],
    [
      'passwd: no such file',
      ['passwd', 'old', '--password-file', '/no'],
      '',
      /^tessera: \/no does not exist$/m,
    ],
    ['disable: an unknown user', ['disable', 'a'], '', /^tessera: there is no account named a/],
    ['import: no such file', ['import', '/no.csv'], '', /^tessera: \/no.csv does not exist$/m],
    ['import: a format of its own', ['import', 'a.xls'], '', /^tessera: the format of a.xls/],
    [
      'import: LDIF options for CSV',
      ['import', 'a.csv', '--attributes', 'x'],
      '',
      /for LDIF files/,
    ],
    ['an unknown command', ['rename', 'old'], '', /^tessera: unknown command 'rename'/],
  ])('%s', async (_what, args, input, error) => {
    await store.add({ name: 'old', passwordHash: 'kept' });
    const { exitCode, stdout, stderr } = await tessera(['user', ...args], input);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(error);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(await store.list({ limit: 10 })).toMatchObject([{ name: 'old', disabled: false }]);
  });

  test('of settings end with 78', async () => {
    const { exitCode, stderr } = await tessera(['user', 'list', '--profiles.aktive=x']);
    expect([exitCode, stderr]).toEqual([78, expect.stringContaining('profiles.aktive')]);
  });

  test('a password on the argument list is refused, and not repeated', async () => {
    await store.add({ name: 'old', passwordHash: 'kept' });
    const { exitCode, stderr } = await tessera(['user', 'passwd', 'old', 'hunter2'], 'x\n');
    expect(exitCode).toBe(1);
    expect(stderr).not.toContain('hunter2');
  });
});

describe('tessera user', () => {
  test('add: keeps attributes, expiry and a hash with the parameters of the settings', async () => {
    const attributes = ['mail=a@example.org', 'memberOf=x', 'memberOf=y=z'];
    const { exitCode, stdout, stderr } = await tessera(
      [
        'user',
        'add',
        'alice',
        '--expires',
        '2099-06-30',
        ...attributes.flatMap((each) => ['--attribute', each]),
      ],
      'Mellon\n',
    );
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: 'added alice\n',
      stderr: '',
    });
    expect(await store.find('alice')).toMatchObject({
      attributes: { mail: ['a@example.org'], memberOf: ['x', 'y=z'] },
      expiresAt: new Date('2099-06-30T00:00:00Z'),
      passwordHash: expect.stringContaining('$m=8,t=1,p=1$'),
    });
    expect(await verifies('alice', 'Mellon')).toBe(true);
  });

  test('passwd: sets another password', async () => {
    await store.add({ name: 'alice', passwordHash: 'old' });
    const passwordFile = await file('password', 'fresh\n');
    const args = ['user', 'passwd', 'alice', '--password-file', passwordFile];
    expect(await tessera(args)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await verifies('alice', 'fresh')).toBe(true);
  });

  test('disable and enable', async () => {
    await store.add({ name: 'alice', passwordHash: 'old' });
    expect(await tessera(['user', 'disable', 'alice'])).toMatchObject({ exitCode: 0 });
    expect((await store.find('alice'))?.disabled).toBe(true);
    expect(await tessera(['user', 'enable', 'alice'])).toMatchObject({ exitCode: 0 });
    expect((await store.find('alice'))?.disabled).toBe(false);
  });

  test('list: one line a user, and no hash', async () => {
    const passwordHash = 'secret hash';
    await store.add({ name: 'a', passwordHash });
    await store.add({ name: 'bb', passwordHash, disabled: true });
    await store.add({ name: 'c', passwordHash, expiresAt: new Date('2020-01-01T00:00:00Z') });
    const { stdout } = await tessera(['user', 'list']);
    const today = /\d{4}-\d{2}-\d{2}$/;
    expect(stdout.split('\n').map((line) => line.replace(today, 'today'))).toEqual([
      'NAME  STATE     EXPIRES                   PASSWORD SET',
      'a     active    never                     today',
      'bb    disabled  never                     today',
      'c     expired   2020-01-01T00:00:00.000Z  today',
      '',
    ]);
    expect(JSON.parse((await tessera(['user', 'list', '--json'])).stdout)).toMatchObject([
      { name: 'a', disabled: false, expired: false, expires: null, attributes: {} },
      { name: 'bb', disabled: true },
      { name: 'c', expired: true, expires: '2020-01-01T00:00:00.000Z' },
    ]);
    expect((await tessera(['user', 'list', '--json'])).stdout).not.toContain(passwordHash);
  });

  test.each([
    ['add', ['add', 'b\u202e']],
    ['list', ['list']],
    ['list', ['list', '--json']],
    ['import', ['import', 'FILE']],
  ])('%s: control characters do not reach the terminal %j', async (_what, args) => {
    const insert =
      "insert into user_account (name, password_hash, attributes) values ($1, 'x', $2)";
    await database.dataSource.query(insert, ['b\u202e', { a: ['\u202e'] }]);
    const path = await file('odd.json', JSON.stringify([{ name: 'a', '\u001b[2J\u202e': 1 }]));
    const given = args.map((each) => (each === 'FILE' ? path : each));
    const { stdout, stderr } = await tessera(['user', ...given], 'x\n');
    expect(stdout + stderr).toContain(args[1] === '--json' ? '\\u202e' : '\\u{202e}');
    expect(stdout + stderr).not.toMatch(TERMINAL_CONTROLS);
  });

  test('list: more users than one page holds', async () => {
    await database.dataSource.query(
      `insert into user_account (name, password_hash)
       select 'user' || number, 'x' from generate_series(1, 1001) number`,
    );
    expect(JSON.parse((await tessera(['user', 'list', '--json'])).stdout)).toHaveLength(1001);
  });

  test('import: names each invalid entry by line and field, and writes nothing', async () => {
    const path = await file('users.csv', 'name,password,disabled\na,hunter2,\nb,,maybe\nc\n');
    expect(await tessera(['user', 'import', path])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'line 3: disabled must be true or false\n' +
        'line 4 has 1 field where the header has 3\n' +
        `tessera: nothing was imported: 2 faults in ${path}\n`,
    });
    expect(await store.list({ limit: 10 })).toEqual([]);
  });

  test('import: the rest with --skip-faulty, nothing with --dry-run, again with --update', async () => {
    const path = await file('users.csv', 'name,password\na,x\nb,\n');
    const run = (...options: readonly string[]) => tessera(['user', 'import', path, ...options]);
    expect((await run('--skip-faulty', '--dry-run')).stdout).toBe(
      'dry run, nothing written: 1 user added, 0 updated, left out entries with 1 fault\n',
    );
    expect(await store.find('a')).toBeUndefined();
    expect(await run('--skip-faulty')).toMatchObject({
      exitCode: 0,
      stdout: '1 user added, 0 updated, left out entries with 1 fault\n',
    });
    expect(await run('--skip-faulty')).toMatchObject({ stdout: expect.stringMatching(/^0 users/) });
    expect((await run('--skip-faulty', '--update')).stdout).toMatch(/^0 users added, 1 updated/);
    expect(await verifies('a', 'x')).toBe(true);
  });

  test('import: JSON by --format', async () => {
    const path = await file('users.txt', '[{"name": "a", "password": "x"}]');
    const { stdout } = await tessera(['user', 'import', path, '--format', 'json']);
    expect(stdout).toBe('1 user added, 0 updated\n');
  });

  const BCRYPT = '$2y$04$abcdefghijklmnopqrstuuWPyT3zuK3JxmyXx5UFcdTiysSm3GF5K';

  test.each(['htpasswd', '.htpasswd', 'users.htpasswd'])(
    'import: a file called %s',
    async (name) => {
      const path = await file(name, `# staff\na:${BCRYPT}\n`);
      expect(await tessera(['user', 'import', path])).toMatchObject({ exitCode: 0, stderr: '' });
      expect(await verifies('a', 'p\u00e4sswort')).toBe(true);
    },
  );

  test('import: htpasswd with unsupported hashes, named by kind and not quoted', async () => {
    const hashes = [
      '$apr1$saltsalt$qjXMvbEw8oaL.CzflDtaK/',
      '{SHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk=',
      'rqXexS6ZhobKA',
    ];
    const path = await file(
      'htpasswd',
      hashes.map((hash, index) => `u${index}:${hash}\n`).join(''),
    );
    const { exitCode, stderr } = await tessera(['user', 'import', path]);
    expect(exitCode).toBe(1);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^line 1: passwordHash is an MD5 hash of Apache \(apr1\).*htpasswd -B/),
      expect.stringMatching(/^line 2: passwordHash is a SHA hash without salt.*htpasswd -B/),
      expect.stringMatching(/^line 3: passwordHash is a DES crypt hash.*htpasswd -B/),
      `tessera: nothing was imported: 3 faults in ${path}`,
      '',
    ]);
    expect(hashes.some((hash) => stderr.includes(hash))).toBe(false);
  });

  test('import: LDIF, with the name and the attributes asked for', async () => {
    const path = await file(
      'people.LDIF',
      `dn: ou=people,dc=example\nobjectClass: organizationalUnit\n\n` +
        `dn: uid=a,dc=example\nobjectClass: person\nuid: a\nmail: m\nuserPassword: ${BCRYPT}\n` +
        'userAccountControl: 514\nacmeLocked: TRUE\n',
    );
    const options = ['--name-attribute', 'mail', '--attributes', 'uid, cn'];
    expect(await tessera(['user', 'import', path, ...options])).toEqual({
      exitCode: 0,
      stdout: '1 user added, 0 updated\n',
      stderr:
        'line 1 is passed over: it is not a person\n' +
        'line 4: userAccountControl disables the account\n' +
        'line 4: acmeLocked suggests a lock or an expiry, and is not read\n',
    });
    expect(await store.find('m')).toMatchObject({ attributes: { uid: ['a'] } });
  });
});
