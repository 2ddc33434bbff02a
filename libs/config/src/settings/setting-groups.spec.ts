import { Min } from 'class-validator';
import { describe, expect, test } from '@jest/globals';
import type { ActiveProfiles, Violation } from './violation.js';
import { CoreSettings } from './core-settings.js';
import { loadSettings } from './load-settings.js';
import { integer, secret } from './parsers/scalars.js';
import type { Secret } from './secret.js';
import { Group, Setting, type SettingsGroup } from './setting.js';

class LimitSettings implements SettingsGroup {
  @Setting('sso.limit.most', integer, { dev: 7 }) @Min(1) most = 10;
  @Setting('sso.limit.least', integer) least = 0;
  @Setting('sso.limit.password', secret) password: Secret | undefined = undefined;

  *check(profiles: ActiveProfiles): Iterable<Violation> {
    if (this.least > this.most && !profiles.isActive('lax')) {
      yield { key: 'sso.limit.least', message: 'must not be above sso.limit.most' };
    }
    if (this.password?.reveal() === 'Mellon') {
      yield { key: 'sso.limit.password', message: 'is known to all' };
    }
  }
}

/** Has a property of the same name as one of its group. */
class Settings extends CoreSettings {
  @Setting('sso.most', integer) @Min(1) most = 1;
  @Group(LimitSettings) limit = new LimitSettings();
}

function load(...argv: readonly string[]) {
  return loadSettings(Settings, { application: 'sso', argv, env: {}, directory: '/nonexistent' });
}

describe('a group of settings', () => {
  test('has its defaults, and those of the profile', async () => {
    expect((await load()).settings.limit).toMatchObject({ most: 10, least: 0 });
    expect((await load('--profiles.active=dev')).settings.limit.most).toBe(7);
  });

  test('takes values by whole keys, apart from properties of the same name', async () => {
    const { settings, origins } = await load('--sso.limit.most=3', '--sso.most=4');
    expect([settings.limit.most, settings.most]).toEqual([3, 4]);
    expect(origins('sso.limit.most')).toBe('command line');
    expect(settings.limit).toBeInstanceOf(LimitSettings);
  });

  test('is frozen with the settings', async () => {
    expect(Object.isFrozen((await load()).settings.limit)).toBe(true);
  });

  test.each([
    [
      'a validator',
      ['--sso.limit.most=0'],
      'sso.limit.most: must not be less than 1 ("0", command line)',
    ],
    [
      'a rule between settings',
      ['--sso.limit.least=11'],
      'sso.limit.least: must not be above sso.limit.most ("11", command line)',
    ],
    [
      'a parser',
      ['--sso.limit.least=few'],
      'sso.limit.least: must be a whole number ("few", command line)',
    ],
    ['a key it does not have', ['--sso.limit.mos=1'], 'did you mean sso.limit.most?'],
    [
      'a rule about a secret, without its value',
      ['--sso.limit.password=Mellon'],
      'sso.limit.password: is known to all (command line)',
    ],
  ])('complains of %s by the key', async (_what, argv, message) => {
    await expect(load(...argv)).rejects.toThrow(message);
  });

  test('has rules that may ask the settings that hold it', async () => {
    await expect(load('--profiles.active=lax', '--sso.limit.least=11')).resolves.toBeDefined();
  });

  test('that is declared and not there is a mistake in the program', async () => {
    class Broken extends CoreSettings {
      @Group(LimitSettings) limit: LimitSettings | undefined = undefined;
    }
    const context = { application: 'sso', argv: [], env: {}, directory: '/nonexistent' };
    await expect(loadSettings(Broken, context)).rejects.toThrow(TypeError);
  });
});
