import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import type { LiveSettings, SettingsSource, SourceResult } from '@tessera/settings';
import { SettingsHome, type TestSettings } from '../../../test/support/live-settings.js';
import { NEW_WORKER, POLLING } from './causes.js';
import { reloadOf, type Reload } from './reload.js';

const nothing = (): Promise<SourceResult> => Promise.resolve({ values: [], problems: [] });
const source: SettingsSource = { load: nothing };

let home: SettingsHome;
let live: LiveSettings<TestSettings>;
let reload: Reload;
let lines: { level: string; msg: string; cause: string }[];

beforeEach(async () => {
  home = await SettingsHome.make();
  source.load = nothing;
  live = await home.load({ sources: [source] });
  reload = reloadOf(live);
  lines = [];
  const write = (line: string): unknown => lines.push(JSON.parse(line) as (typeof lines)[0]);
  configureLogging({ application: 'test', levels: {}, write });
});
afterEach(async () => {
  configureLogging({ application: 'test', levels: { root: 'warn' } });
  await home.remove();
});

const greet = (greeting: string): Promise<void> => home.write({ 'sso.greeting': greeting });
const told = (): string[] => lines.map(({ level, cause, msg }) => `${level} ${cause}: ${msg}`);
const REFUSED = 'settings were not reloaded: those in force stay';

test('a refusal names each problem, and leaves what is in force', async () => {
  await home.write({ 'sso.port': 'much', 'sso.greeting': 'hi', 'sso.even': 'x' });
  const outcome = await reload('SIGHUP');
  expect(outcome).toEqual({
    problems: [
      'sso.port: must be a whole number ("much", config/sso.yml:1)',
      'sso.even: must be a whole number ("x", config/sso.yml:1)',
    ],
  });
  expect(live.current.greeting).toBe('hello');
  expect(lines).toEqual([expect.objectContaining({ ...outcome, cause: 'SIGHUP', level: 'warn' })]);
  await greet('hi');
  expect(await reload('SIGHUP')).toEqual({ changed: ['sso.greeting'], restart: [] });
});

test('changes are told by key, and those that wait for a restart', async () => {
  await home.write({ 'sso.port': 9, 'sso.password': 'hunter2' });
  const outcome = { changed: ['sso.password', 'sso.port'], restart: ['sso.port'] };
  expect(await reload('SIGHUP')).toEqual(outcome);
  const line = { ...outcome, logger: 'settings', level: 'info', msg: 'settings were reloaded' };
  expect(lines).toEqual([expect.objectContaining(line)]);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test.each<[string, string, (live: LiveSettings<TestSettings>) => void, object]>([
  [
    'in reading them',
    'settings could not be read',
    () => (source.load = () => Promise.reject(new Error('a mistake'))),
    { problems: ['settings could not be read: the log says why'] },
  ],
  [
    'in who follows them',
    'settings are in force, and not everything follows them: start anew',
    (each) => {
      const commit = (): void => {
        throw new Error('a mistake');
      };
      each.follow({ files: [], prepare: () => Promise.resolve({ commit, discard: () => {} }) });
    },
    { changed: ['sso.greeting'], restart: [] },
  ],
])('a mistake %s is told in the log, and blocks nothing', async (_what, msg, err, outcome) => {
  err(live);
  await greet('hi');
  expect(await reload('SIGHUP')).toEqual(outcome);
  expect(lines[0]).toMatchObject({ level: 'error', msg });
  source.load = nothing;
  expect(await reload('SIGHUP')).toMatchObject({ restart: [] });
  expect(live.current.greeting).toBe('hi');
});

test('many calls at once need no more than two readings, and see what was there before them', async () => {
  let readings = 0;
  live.follow({ files: [], prepare: () => Promise.resolve(void (readings += 1)) });
  const first = reload('a');
  await greet('later');
  const others = Array.from({ length: 100 }, () => reload('b'));
  await Promise.all([first, ...others]);
  expect(readings).toBe(2);
  expect(live.current.greeting).toBe('later');
});

describe('the log', () => {
  test('has what nobody asked for once, until it changes or goes away', async () => {
    await home.write({ 'sso.port': 'x' });
    for (const cause of [POLLING, POLLING, NEW_WORKER, 'SIGHUP', POLLING]) await reload(cause);
    await home.write({ 'sso.port': 'y' });
    for (const cause of [POLLING, POLLING]) await reload(cause);
    await home.write({});
    for (const cause of [POLLING, POLLING, NEW_WORKER]) await reload(cause);
    await home.write({ 'sso.port': 'y' });
    await reload(POLLING);
    expect(told()).toEqual([
      `warn polling: ${REFUSED}`,
      `warn SIGHUP: ${REFUSED}`,
      `warn polling: ${REFUSED}`,
      'info polling: settings were read again: none has changed',
      `warn polling: ${REFUSED}`,
    ]);
  });

  test('names all causes of a reload', async () => {
    const first = reload('SIGHUP');
    await Promise.all([first, reload(POLLING), reload('a call of ann'), reload(POLLING)]);
    expect(told().map((line) => line.split(': ')[0])).toEqual([
      'info SIGHUP, polling, a call of ann',
    ]);
  });
});
