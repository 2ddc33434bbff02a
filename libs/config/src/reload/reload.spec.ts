import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging, loggerFor, withRequest } from '@tessera/logging';
import type {
  PrepareSettings,
  ReloadableSettings,
  SettingsSource,
  SourceResult,
} from '../settings/index.js';
import {
  SettingsHome,
  type TestSettings,
  unprepared,
} from '../../../../test/support/live-settings.js';
import { reloadEvents } from './reload-events.js';
import { ANOTHER_NODE, DATABASE_CREDENTIALS_REFUSED, POLLING } from './reload-reasons.js';
import { reloadOf, type Reload } from './reload.js';

const nothing = (): Promise<SourceResult> => Promise.resolve({ values: [], violations: [] });
const source: SettingsSource = { load: nothing };

let home: SettingsHome;
let live: ReloadableSettings<TestSettings>;
let reload: Reload;
let prepare: PrepareSettings<TestSettings>;
let lines: { level: string; msg: string; cause: string }[];

beforeEach(async () => {
  home = await SettingsHome.make();
  source.load = nothing;
  live = await home.load({ sources: [source] });
  prepare = unprepared;
  reload = reloadOf(live, (next) => prepare(next));
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
const REFUSED = 'settings were not reloaded: the current ones stay';

test('a refusal names each problem, and keeps the current settings', async () => {
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

test('each outcome is published', async () => {
  const outcomes: string[] = [];
  const end = reloadEvents.subscribe(({ outcome }) => outcomes.push(outcome));
  await reload('SIGHUP');
  await greet('hi');
  await reload('SIGHUP');
  await home.write({ 'sso.port': 'much' });
  await reload('SIGHUP');
  end();
  expect(outcomes).toEqual(['unchanged', 'changed', 'rejected']);
});

test('changes are reported by key, as well as those that need a restart', async () => {
  await home.write({ 'sso.port': 9, 'sso.password': 'hunter2' });
  const outcome = { changed: ['sso.password', 'sso.port'], restart: ['sso.port'] };
  expect(await reload('SIGHUP')).toEqual(outcome);
  const line = { ...outcome, logger: 'settings', level: 'info', msg: 'settings were reloaded' };
  expect(lines).toEqual([expect.objectContaining(line)]);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test('changed files of settings are reported when no setting changed', async () => {
  const file = join(home.directory, 'key');
  await writeFile(file, 'a');
  await home.write({ 'sso.file': file });
  await reload('SIGHUP');
  lines.length = 0;
  await writeFile(file, 'other');
  expect(await reload('SIGHUP')).toEqual({ changed: [], restart: [], files: [file] });
  await reload('SIGHUP');
  expect(lines).toEqual([
    expect.objectContaining({
      files: [file],
      msg: 'files that settings name have changed and are used now',
    }),
    expect.objectContaining({ msg: 'settings were read again: none has changed' }),
  ]);
});

test('a cause that callers may not see is in the log alone', async () => {
  prepare = () => Promise.reject(new Error('no such role: geheim'));
  await greet('hi');
  expect(await reload('SIGHUP')).toEqual({
    problems: ['settings could not be used: the log says why'],
  });
  expect(lines[0]).toMatchObject({ level: 'error', msg: 'settings could not be used' });
  expect(JSON.stringify(lines[0])).toContain('no such role');
});

test('a mistake in reading settings is logged, and blocks nothing', async () => {
  source.load = () => Promise.reject(new Error('a mistake'));
  await greet('hi');
  expect(await reload('SIGHUP')).toEqual({
    problems: ['settings could not be read: the log says why'],
  });
  expect(lines[0]).toMatchObject({ level: 'error', msg: 'settings could not be read' });
  source.load = nothing;
  expect(await reload('SIGHUP')).toMatchObject({ restart: [] });
  expect(live.current.greeting).toBe('hi');
});

test('many calls at once need no more than two readings, and see what was there before them', async () => {
  let readings = 0;
  source.load = () => {
    readings += 1;
    return nothing();
  };
  const first = reload('a');
  await greet('later');
  const others = Array.from({ length: 100 }, () => reload('b'));
  await Promise.all([first, ...others]);
  expect(readings).toBe(2);
  expect(live.current.greeting).toBe('later');
});

test('a call during a reload gets the changes of both; a refused reload adds none', async () => {
  await greet('hi');
  const first = reload('changed file');
  const [one, other] = await Promise.all([first, setImmediate().then(() => reload('a call'))]);
  expect([one, other]).toEqual([
    { changed: ['sso.greeting'], restart: [] },
    { changed: ['sso.greeting'], restart: [] },
  ]);
  const asked = Promise.withResolvers<undefined>();
  const away = Promise.withResolvers<SourceResult>();
  source.load = () => {
    asked.resolve(undefined);
    return away.promise;
  };
  const refused = reload('changed file');
  await asked.promise;
  const good = reload('a call');
  source.load = nothing;
  away.reject(new Error('a mistake'));
  expect(await refused).toHaveProperty('problems');
  expect(await good).toEqual({ changed: [], restart: [] });
});

test('announcements of other nodes cost no more than one reading a second, and none is lost', async () => {
  let readings = 0;
  source.load = () => {
    readings += 1;
    return nothing();
  };
  await reload(ANOTHER_NODE);
  const others = Array.from({ length: 50 }, () => reload(ANOTHER_NODE));
  await greet('hi');
  await reload('a call');
  expect(readings).toBe(2);
  await greet('later');
  await Promise.all(others);
  expect(readings).toBe(3);
  expect(live.current.greeting).toBe('later');
});

test('the new application does not belong to the request that called for the reload', async () => {
  let line = '';
  prepare = () => {
    loggerFor('x').info({}, 'made');
    line = JSON.stringify(lines.find(({ msg }) => msg === 'made'));
    return unprepared();
  };
  await greet('hi');
  await withRequest({ id: 'id-of-a-request' }, () => reload('a call'));
  expect(line).toContain('made');
  expect(JSON.stringify(lines)).not.toContain('id-of-a-request');
});

describe('the log', () => {
  test('has what nobody asked for once, until it changes or goes away', async () => {
    await home.write({ 'sso.port': 'x' });
    for (const cause of [POLLING, POLLING, DATABASE_CREDENTIALS_REFUSED, 'SIGHUP', POLLING]) {
      await reload(cause);
    }
    await home.write({ 'sso.port': 'y' });
    for (const cause of [POLLING, POLLING]) await reload(cause);
    await home.write({});
    for (const cause of [POLLING, DATABASE_CREDENTIALS_REFUSED, POLLING]) await reload(cause);
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
