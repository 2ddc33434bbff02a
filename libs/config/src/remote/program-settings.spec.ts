import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { configureLogging, loggerFor } from '@tessera/logging';
import type { ReloadableSettings } from '../settings/index.js';
import {
  SettingsHome,
  takeOver,
  TestSettings,
  unprepared,
} from '../../../../test/support/live-settings.js';
import { programSettings } from './program-settings.js';

let home: SettingsHome;
let live: ReloadableSettings<TestSettings>;

beforeEach(async () => {
  home = await SettingsHome.make();
  await home.write({ 'logging.level': { root: 'error', a: 'warn' } });
  const argv = ['node', 'main.js', `--settings.location=${join(home.directory, 'config')}`];
  const given = await programSettings(TestSettings, { application: 'sso', argv });
  if (given === undefined) throw new Error('there are no settings');
  live = given;
});
afterEach(async () => {
  configureLogging({ application: 'test', levels: { root: 'warn' } });
  await home.remove();
});

/** Of a logger that was there before, and one that is new. */
const levels = (): boolean[] =>
  [loggerFor('a'), loggerFor('a.b')].map((log) => log.isEnabled('info'));

test('the log is as the settings say, before a reload and after it', async () => {
  expect(levels()).toEqual([false, false]);
  await home.write({ 'logging.level': { root: 'error', a: 'debug' } });
  const staged = await live.stage(unprepared);
  expect(levels()).toEqual([false, false]);
  staged.commit();
  expect(levels()).toEqual([true, true]);
  await home.write({});
  await takeOver(live);
  expect(loggerFor('c').isEnabled('info')).toBe(true);
});

test('the log stays as it is where settings are refused, or given up', async () => {
  await home.write({ 'logging.level': { a: 'debug' }, 'sso.even': 'x' });
  await expect(live.stage(unprepared)).rejects.toThrow('sso.even');
  await home.write({ 'logging.level': { a: 'debug' } });
  (await live.stage(unprepared)).discard();
  expect(levels()).toEqual([false, false]);
});
