import { describe, expect, test } from '@jest/globals';
import { LiveSettings } from '@tessera/config';
import { SsoSettings } from '../settings.js';
import { credentialOf } from './authentication-handler.conformance.js';
import type { AuthenticationHandler, Verdict } from './authentication-handler.js';
import { ReloadableHandler } from './reloadable-handler.js';

/** A handler whose verdict names the static users it was created from; `answer()` resolves pending logins. */
async function reloadable() {
  const argv = ['--profiles.active=dev'];
  const live = await LiveSettings.load(SsoSettings, { application: 'sso', env: {}, argv });
  const closed: string[] = [];
  const answers: (() => void)[] = [];
  const make = (id: string): AuthenticationHandler => ({
    name: 'static',
    supports: () => id !== 'nobody',
    authenticate() {
      const { promise, resolve } = Promise.withResolvers<Verdict>();
      answers.push(() => resolve({ accepted: { id, attributes: {} } }));
      return promise;
    },
    close: () => {
      closed.push(id);
      return Promise.resolve();
    },
  });
  const handler = await ReloadableHandler.open(live, {
    of: ({ demoUsers }) => demoUsers.map(({ name }) => name).join(),
    make: (names) => {
      if (names === 'wrong') throw new Error('no such handler');
      return make(names);
    },
  });
  const change = async (key: string, value: string): Promise<void> => {
    argv.splice(1, 1, `--${key}=${value}`);
    (await live.stage()).commit();
  };
  const login = () => handler.authenticate(credentialOf('', ''));
  const answer = (): void => answers.splice(0).forEach((each) => each());
  return { handler, login, answer, closed, change };
}

const USERS = 'sso.authentication.static.users';

describe('a handler that follows the settings', () => {
  test('is replaced, and the old one is closed', async () => {
    const { handler, login, answer, closed, change } = await reloadable();
    await change(USERS, 'nobody::x');
    expect(closed).toEqual(['casuser']);
    expect(handler.name).toBe('static');
    expect(handler.supports(credentialOf('', ''))).toBe(false);
    const verdict = login();
    answer();
    expect(await verdict).toMatchObject({ accepted: { id: 'nobody' } });
  });

  test('answers a login by the handler that began it, which is closed after that', async () => {
    const { login, answer, closed, change } = await reloadable();
    const before = login();
    await change(USERS, 'ann::x');
    const after = login();
    expect(closed).toEqual([]);
    answer();
    expect(await before).toMatchObject({ accepted: { id: 'casuser' } });
    expect(await after).toMatchObject({ accepted: { id: 'ann' } });
    expect(closed).toEqual(['casuser']);
  });

  test('stays the same while other settings change', async () => {
    const { closed, change } = await reloadable();
    await change('sso.dialect', 'apereo');
    expect(closed).toEqual([]);
  });

  test('stays the same where the next cannot be created', async () => {
    const { login, answer, closed, change } = await reloadable();
    await expect(change(USERS, 'wrong::x')).rejects.toThrow('settings could not be used');
    const verdict = login();
    answer();
    expect(await verdict).toMatchObject({ accepted: { id: 'casuser' } });
    expect(closed).toEqual([]);
  });

  test('closes the current handler with itself', async () => {
    const { handler, closed, change } = await reloadable();
    await change(USERS, 'ann::x');
    await handler.close();
    expect(closed).toEqual(['casuser', 'ann']);
  });
});
