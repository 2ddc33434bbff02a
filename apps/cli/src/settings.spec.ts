import { describe, expect, test } from '@jest/globals';
import { splitArguments } from './settings-arguments.js';
import { explanation } from './settings-explanation.js';
import { loadCliSettings } from './settings.js';

const load = async (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  (await loadCliSettings({ argv, env, directory: '/nowhere' })).settings;
const ARGON2 = 'sso.authentication.accounts.argon2';

describe('CliSettings', () => {
  test.each([
    ['an unknown key', ['--nobody.knows=1']],
    ['a text where a number is needed', [`--${ARGON2}.memory=much`]],
    ['an unknown key of its own', ['--profiles.aktive=dev']],
  ])('refuses %s', async (_what, argv) => {
    await expect(load(argv)).rejects.toMatchObject({ code: 'SETTINGS_INVALID' });
  });

  test('never quotes the database URL, which may hold a password', async () => {
    const settings = await load(['--database.url=postgresql://a:hunter2@b/c']);
    expect(JSON.stringify(settings)).not.toContain('hunter2');
    expect(settings.databaseUrl?.reveal()).toBe('postgresql://a:hunter2@b/c');
  });

  test('ignores settings of the servers', async () => {
    const settings = await load(
      ['--sso.base-url=x', '--database.pool-size=7', '--sso.modules=rest', '--vault.x=x'],
      { SSO_PORT: 'x', CONFIG_SERVER_PORT: 'x' },
    );
    expect(settings.databaseUrl).toBeUndefined();
  });

  test('has the argon2 defaults, key by key', async () => {
    expect((await load([])).argon2).toEqual({ memory: 19_456, iterations: 2, parallelism: 1 });
    const argv = [`--${ARGON2}.memory=65536`];
    const env = { SSO_AUTHENTICATION_ACCOUNTS_ARGON2_ITERATIONS: '3' };
    expect((await load(argv, env)).argon2).toEqual({
      memory: 65_536,
      iterations: 3,
      parallelism: 1,
    });
  });
});

describe('splitArguments', () => {
  test.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['nothing of nothing', [], [], []],
    ['options of commands alone', ['user', 'list', '--json'], [], ['user', 'list', '--json']],
    [
      'settings before and after a command',
      ['--profiles.active=dev', 'user', 'list', '--database.url=x=y'],
      ['--profiles.active=dev', '--database.url=x=y'],
      ['user', 'list'],
    ],
    [
      'a value in the next argument',
      ['--database.url', 'x', 'user'],
      ['--database.url=x'],
      ['user'],
    ],
    ['a key without value at the end', ['user', '--database.url'], ['--database.url'], ['user']],
    ['keys with dashes', ['--sso.base-url=x'], ['--sso.base-url=x'], []],
    [
      'attributes, which have dots in their values',
      ['--attribute', 'mail=a.b@c.d', '--attribute=mail=a.b'],
      [],
      ['--attribute', 'mail=a.b@c.d', '--attribute=mail=a.b'],
    ],
    ['a user name with dots', ['user', 'add', 'a.b'], [], ['user', 'add', 'a.b']],
    [
      'what follows two dashes',
      ['user', 'add', '--', '--a.b=c'],
      [],
      ['user', 'add', '--', '--a.b=c'],
    ],
  ])('takes %s', (_what, argv, settings, rest) => {
    expect(splitArguments(argv)).toEqual({ settings, rest });
  });
});

const ROWS = [
  { key: 'sso.port', value: '8080', origin: 'default' },
  { key: 'sso.tickets.st.lifetime', value: '20s', origin: 'file' },
  { key: 'sso.tickets.suffix', value: 'a\u001b', origin: 'environment' },
  { key: 'sso.ticketsless', value: '1', origin: 'default' },
];

const explain = (key: string | undefined, json = false) =>
  explanation(ROWS, key, { application: 'sso', json });

describe('an explanation', () => {
  test('is of all settings', async () => {
    expect((await explain(undefined)).split('\n')).toHaveLength(ROWS.length);
  });

  test('is of one setting alone', async () => {
    expect(await explain('sso.port')).toBe('sso.port = 8080  (default)');
  });

  test('is of those below a key, without what a terminal interprets', async () => {
    const lines = (await explain('sso.tickets')).split('\n');
    expect(lines).toEqual([
      'sso.tickets.st.lifetime = 20s  (file)',
      expect.stringMatching(/^sso\.tickets\.suffix = a\P{Cc}+  \(environment\)$/u),
    ]);
  });

  test('is JSON where that is asked for', async () => {
    expect(JSON.parse(await explain('sso.port', true))).toEqual([ROWS[0]]);
  });

  test.each([
    ['a key that there is not', 'nobody.knows.this.one', 'nobody.knows.this.one'],
    [
      'a misspelt key',
      'sso.tickets.st.livetime',
      'sso.tickets.st.livetime; did you mean sso.tickets.st.lifetime?',
    ],
    ['a misspelt group', 'sso.tikets', 'sso.tikets; did you mean sso.tickets?'],
  ])('finds fault with %s', async (_what, key, told) => {
    await expect(explain(key)).rejects.toThrow(
      expect.objectContaining({
        name: 'CliError',
        exitCode: 1,
        message: `sso has no setting ${told}`,
      }),
    );
  });
});
