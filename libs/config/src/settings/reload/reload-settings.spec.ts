import { describe, expect, test } from '@jest/globals';
import { CoreSettings } from '../core-settings.js';
import { loadSettings } from '../load-settings.js';
import type { SettingsSource } from '../settings-source.js';

const FILES = 'settings.reload.file-interval';
const REMOTE = 'settings.reload.remote-interval';

async function refusal(argv: string[], sources: SettingsSource[] = []): Promise<string> {
  const context = { application: 'sso', argv, env: {}, directory: '/nowhere', sources };
  return loadSettings(CoreSettings, { ...context, credentialDirectories: [] }).then(
    () => 'none',
    (error: unknown) => String(error),
  );
}

describe('how often', () => {
  test.each([
    [FILES, '1ms', 'must be 0s or at least 100ms'],
    [FILES, '99ms', 'must be 0s or at least 100ms'],
    [FILES, '25h', 'must not be greater than 1d'],
    [REMOTE, '1ms', 'must be 0s or at least 1s'],
    [REMOTE, '999ms', 'must be 0s or at least 1s'],
    [REMOTE, '25h', 'must not be greater than'],
  ])('is refused: %s of %s', async (key, value, message) => {
    expect(await refusal([`--${key}=${value}`])).toContain(`${key}: ${message}`);
  });

  test.each([
    [FILES, '0s'],
    [FILES, '100ms'],
    [FILES, '1d'],
    [REMOTE, '0s'],
    [REMOTE, '1s'],
    [REMOTE, '1d'],
  ])('is taken: %s of %s', async (key, value) => {
    expect(await refusal([`--${key}=${value}`])).toBe('none');
  });

  test.each([FILES, REMOTE])('is not for a remote source to say: %s', async (key) => {
    const values = [{ key, value: '0s', origin: 'vault secret/sso' }];
    const source = { load: () => Promise.resolve({ values, violations: [] }) };
    expect(await refusal([], [source])).toContain(
      `${key}: says when settings are read again: give it on this machine (vault secret/sso)`,
    );
  });
});
