import { describe, expect, test } from '@jest/globals';
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
