import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SettingsHome } from '../../../../test/support/live-settings.js';
import type { SettingsContext } from './settings-context.js';
import { SettingsError } from './settings-error.js';

let home: SettingsHome;

beforeEach(async () => {
  home = await SettingsHome.make();
});
afterEach(() => home.remove());

async function places(written: object, context: Partial<SettingsContext> = {}): Promise<unknown> {
  await home.write(written);
  const { places: byName } = (await home.load(context)).current;
  return Object.fromEntries(
    [...byName].map(([key, { name, url, size, maxSize }]) => [key, { name, url, size, maxSize }]),
  );
}

async function lines(written: object, context: Partial<SettingsContext> = {}) {
  await home.write(written);
  const error: unknown = await home.load(context).catch((thrown: unknown) => thrown);
  if (error instanceof SettingsError) return error.lines;
  throw new Error('the settings were taken', { cause: error });
}

describe('groups by name', () => {
  const north = { name: 'north', url: '', size: 3, maxSize: 9 };
  const farEast = { ...north, name: 'far-east' };

  test.each<[string, object, Partial<SettingsContext>, object]>([
    ['are none without settings', {}, {}, {}],
    [
      'are those that a file has settings of, with the defaults of the others',
      { 'sso.place': { north: { url: 'a' }, 'far-east': { size: 2 } } },
      {},
      { north: { ...north, url: 'a' }, 'far-east': { ...farEast, size: 2 } },
    ],
    [
      'have their settings from several sources, key by key',
      { 'sso.place.north': { url: 'a', size: 2 } },
      { argv: ['--sso.place.north.size=4'], env: { SSO_PLACE_NORTH_MAX_SIZE: '5' } },
      { north: { ...north, url: 'a', size: 4, maxSize: 5 } },
    ],
    [
      'have underscores for the hyphens of their names in variables, whose keys are the longest',
      {},
      { env: { SSO_PLACE_FAR_EAST_URL: 'a', SSO_PLACE_NORTH_MAX_SIZE: '4' } },
      { 'far-east': { ...farEast, url: 'a' }, north: { ...north, maxSize: 4 } },
    ],
    [
      'have keys without hyphens in variables, as Spring does',
      {},
      { env: { SSO_PLACE_NORTH_MAXSIZE: '4' } },
      { north: { ...north, maxSize: 4 } },
    ],
    [
      'may have the name of a member of every object',
      { 'sso.place.constructor.url': 'a' },
      {},
      { constructor: { ...north, name: 'constructor', url: 'a' } },
    ],
  ])('%s', async (_rule, written, context, expected) => {
    expect(await places(written, context)).toEqual(expected);
  });

  test('are frozen with the settings, and secrets may be in credential files', async () => {
    await writeFile(join(home.directory, 'sso.place.north.password'), 'geheim\n');
    const { current } = await home.load({ credentialDirectories: [home.directory] });
    const place = current.places.get('north');
    expect(place?.password?.reveal()).toBe('geheim');
    expect(Object.isFrozen(place)).toBe(true);
  });

  test('are listed with their given settings, without secrets', async () => {
    await home.write({ 'sso.place.north': { url: 'a', password: 'geheim' } });
    const rows = (await home.load()).explain().filter(({ key }) => key.startsWith('sso.place'));
    expect(rows).toEqual([
      expect.objectContaining({ key: 'sso.place.north.password', value: '[secret]' }),
      expect.objectContaining({ key: 'sso.place.north.url', value: 'a', isLive: true }),
    ]);
  });
});

describe('groups by name are refused with', () => {
  const UNKNOWN = 'is not a known setting';

  test.each<[string, object, Partial<SettingsContext>, string]>([
    [
      'a value that is none',
      { 'sso.place.north.size': 'x' },
      {},
      'sso.place.north.size: must be a whole number ("x", config/sso.yml:1)',
    ],
    [
      'a value out of bounds',
      { 'sso.place': { south: {}, north: { size: 0 } } },
      {},
      'sso.place.north.size: must not be less than 1 ("0", config/sso.yml:1)',
    ],
    [
      'values that break a rule',
      { 'sso.place.north.size': 10 },
      {},
      'sso.place.north.max-size: must not be below the size ("9", default)',
    ],
    [
      'a key that they do not have',
      { 'sso.place.north.ulr': 'x' },
      {},
      `sso.place.north.ulr: ${UNKNOWN}; did you mean sso.place.north.url? (config/sso.yml:1)`,
    ],
    [
      'a name in capitals',
      { 'sso.place.North.url': 'x' },
      {},
      `sso.place.North.url: ${UNKNOWN}; did you mean sso.place.north.url? (config/sso.yml:1)`,
    ],
    [
      'a list in place of names',
      { 'sso.place': [{ url: 'x' }] },
      {},
      `sso.place: ${UNKNOWN} (config/sso.yml:1)`,
    ],
    [
      'a variable without a name',
      {},
      { env: { SSO_PLACE__URL: 'x' } },
      `SSO_PLACE__URL: ${UNKNOWN} (environment)`,
    ],
  ])('%s', async (_what, written, context, line) => {
    expect(await lines(written, context)).toEqual([line]);
  });
});
