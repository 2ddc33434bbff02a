// Values of secret sources never appear in messages of a reload.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { reloadViolations, SettingsHome } from '../../../../../test/support/live-settings.js';
import { SettingsError } from '../settings-error.js';
import type { SettingsSource, SourceValue } from '../settings-source.js';

const CANARY = '/etc/canary-of-vault';
const ORIGIN = 'vault secret/sso';

let home: SettingsHome;
/** The values in Vault. */
let stored: Readonly<Record<string, unknown>>;

const source: SettingsSource = {
  load: () => {
    const values = Object.entries(stored).map(([key, value]): SourceValue => {
      return { key, value, origin: ORIGIN, isProtected: true };
    });
    return Promise.resolve({ values, violations: [] });
  },
};

beforeEach(async () => {
  home = await SettingsHome.make();
  stored = {};
});
afterEach(() => home.remove());

test('a refused value is not quoted, and the rule is named', async () => {
  const live = await home.load({ sources: [source] });
  stored = { 'sso.port': CANARY };
  expect(await reloadViolations(live)).toEqual([`sso.port: must be a whole number (${ORIGIN})`]);
});

test('a current value that Vault no longer supplies is not quoted by a rule that needs a restart', async () => {
  stored = { 'sso.label': CANARY };
  const live = await home.load({ sources: [source] });
  stored = {};
  await home.write({ 'sso.greeting': 'no label' });
  const [line] = await reloadViolations(live);
  expect(line).toBe('sso.label: may not be set (until the restart that sso.label needs) (default)');
});

test('the error of an application is reported without it', async () => {
  const live = await home.load({ sources: [source] });
  stored = { 'sso.greeting': CANARY };
  const violation = { key: 'sso.greeting', message: `names ${CANARY}` };
  const refuse = () => Promise.reject(new SettingsError('sso', [violation]));
  expect(await reloadViolations(live, refuse)).toEqual([
    `sso.greeting: names [secret] (${ORIGIN})`,
  ]);
});

test('what an unknown error says is logged without it', async () => {
  const live = await home.load({ sources: [source] });
  stored = { 'sso.greeting': CANARY };
  const fail = () => Promise.reject(new TypeError(`no ${CANARY}`));
  const error: unknown = await live.stage(fail).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ cause: new TypeError('no [secret]') });
});

test('an error of the start does not hold it', async () => {
  stored = { 'sso.greeting': CANARY };
  const live = await home.load({ sources: [source] });
  const open = () => Promise.reject(new Error(`no ${CANARY}`));
  await expect(live.guard(open)).rejects.toThrow('no [secret]');
});
