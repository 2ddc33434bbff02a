// `tessera migrate` on overlays of ten kinds, written after published ones: the settings that it writes are those that the
// application accepts.
import { describe, expect, test } from '@jest/globals';
import { loadSettings } from '@tessera/config';
import { SsoSettings } from '../../apps/sso/src/settings/sso-settings.js';
import { CIPHER, OVERLAYS, SERVICE } from '../support/old-overlays.js';
import { oldServerSuite, type Section } from '../support/old-server.js';

const old = oldServerSuite();

/** The settings that the application has from the new directory. */
async function settingsOf(profile = 'production'): Promise<SsoSettings> {
  const argv = [
    `--settings.location=${old.into}`,
    `--profiles.active=${profile}`,
    '--database.url=postgresql://db.example.org/sso',
  ];
  const context = { application: 'sso', argv, env: {}, directory: '/', credentialDirectories: [] };
  return (await loadSettings(SsoSettings, context)).settings;
}

describe('the settings are accepted, and every old key is in one section', () => {
  test.each(Object.entries(OVERLAYS))('%s', async (_kind, overlay) => {
    process.env['TESSERA_TEST_OLD_KEY'] = CIPHER.password;
    await old.write(overlay.files);
    const report = await old.report(...(overlay.options ?? []));
    expect(await settingsOf(overlay.profile)).toMatchObject(overlay.settings);
    for (const [section, keys] of Object.entries(overlay.sections)) {
      const found = report[section as Section].map(({ key }) => key);
      expect(keys.filter((key) => !found.includes(key))).toEqual([]);
    }
  });
});

test('secrets are in the settings as they were', async () => {
  await old.write(OVERLAYS['one directory']?.files ?? {});
  await old.report();
  expect((await settingsOf()).ldap.bindPassword?.reveal()).toBe('pa#ss: "x"');
});

test('a decrypted value is in the settings', async () => {
  process.env['TESSERA_TEST_OLD_KEY'] = CIPHER.password;
  await old.write(OVERLAYS['encrypted values']?.files ?? {});
  await old.report('--password-env', 'TESSERA_TEST_OLD_KEY');
  expect((await settingsOf()).ldap.bindPassword?.reveal()).toBe(CIPHER.plain);
});

test('services are copied as they are, and the settings name their place', async () => {
  await old.write(OVERLAYS['service files at /etc/cas/services']?.files ?? {});
  const { services } = await old.report();
  expect(services?.counts).toMatchObject({ working: 1, disabled: 0, refused: 0 });
  expect(await old.read('services/portal-1001.json')).toBe(SERVICE);
  expect((await settingsOf()).servicesImport).toBe(`${old.into}/services`);
});
