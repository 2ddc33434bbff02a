import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SettingsHome, takeOver, unprepared } from '../../../../../test/support/live-settings.js';
import {
  protectedText,
  securityEnvironment,
  PASSWORD,
} from '../../../../../test/support/protected-values.js';

let home: SettingsHome;

beforeEach(async () => {
  home = await SettingsHome.make();
});
afterEach(() => home.remove());

/** A setting of each kind. */
const WRITTEN = {
  'sso.port': 1,
  'sso.greeting': '007',
  'sso.password': 'geheim',
  'sso.secrets': { a: 'x', entries: 'z' },
  'sso.role': { name: 'entries', value: '' },
  'logging.level': { 'a.b': 'debug', root: 'error' },
  'sso.place': { north: { url: 'x', password: 'y' } },
};

test.each([
  ['wrong', { 'sso.port': -1 }],
  ['gone', {}],
  ['others', { ...WRITTEN, 'sso.greeting': 'b', 'sso.port': 2 }],
])('current settings are the same in another process where files are %s', async (_, after) => {
  await home.write(WRITTEN);
  const first = await home.load();
  await home.write(after);
  const other = await home.load({}, first.snapshot);
  expect(other.current).toEqual(first.current);
  expect(other.current.password?.reveal()).toBe('geheim');
  expect(other.snapshot).toBe(first.snapshot);
});

test('what needs a restart keeps its current value, and is not reported again', async () => {
  await home.write(WRITTEN);
  const first = await home.load();
  await home.write({ 'sso.port': 2, 'sso.even': 3, 'sso.greeting': 'b' });
  await takeOver(first);
  expect(first.current).toMatchObject({ port: 1, even: 0, greeting: 'b' });
  const other = await home.load({}, first.snapshot);
  expect(other.current).toEqual(first.current);
  for (const each of [first, other]) {
    const waiting = each.explain().filter(({ restartNeeded }) => restartNeeded);
    expect(waiting.map(({ key, value, isLive }) => [key, value, isLive])).toEqual([
      ['sso.even', '0', true],
      ['sso.port', '1', false],
    ]);
  }
  expect((await takeOver(other))[0]).toEqual((await takeOver(first))[0]);
  expect(other.current).toEqual(first.current);
});

test('another process goes over to them without looking at files', async () => {
  const first = await home.load();
  const other = await home.load({}, first.snapshot);
  await home.write({ 'sso.greeting': 'b', 'sso.port': 2 });
  await takeOver(first);
  await home.write({ 'sso.port': -1 });
  const { changed, restart, commit } = await other.stage(unprepared, first.snapshot);
  commit();
  expect(changed).toEqual(['sso.greeting', 'sso.port']);
  expect(restart).toEqual(['sso.port']);
  expect(other.current).toEqual(first.current);
  expect(other.snapshot).toBe(first.snapshot);
});

test('protected values stay marked as protected, and are not decrypted again', async () => {
  await home.write({ 'sso.greeting': `{cipher}${await protectedText('geheim')}` });
  const first = await home.load({ env: securityEnvironment({ PASSWORD }) });
  const other = await home.load(
    { env: securityEnvironment({ PASSWORD: 'another' }) },
    first.snapshot,
  );
  expect(other.current.greeting).toBe('geheim');
  expect(other.loaded.explain()).toContainEqual(
    expect.objectContaining({ key: 'sso.greeting', value: '[secret]' }),
  );
});

test('afterwards it reads for itself', async () => {
  const other = await home.load({}, (await home.load()).snapshot);
  await home.write({ 'sso.greeting': 'b' });
  expect(await takeOver(other)).toEqual([['sso.greeting'], []]);
  expect(other.loaded.origins('sso.greeting')).toContain('config/sso.yml:1');
});
