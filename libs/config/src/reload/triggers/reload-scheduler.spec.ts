import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import type { ReloadableSettings, SettingsSource } from '../../settings/index.js';
import {
  SettingsHome,
  type TestSettings,
  unprepared,
} from '../../../../../test/support/live-settings.js';
import { until } from '../../../../../test/support/until.js';
import { reloadOf } from '../reload.js';
import { FileWatch } from './file-watch.js';
import { jittered, RetrySchedule, scheduleReloads } from './reload-scheduler.js';

/** A server somewhere else, as far as the settings know. */
class FakeServer implements SettingsSource {
  isAway = false;

  constructor(
    private readonly isInUse: boolean,
    public greeting = 'hello',
  ) {}

  load(): ReturnType<SettingsSource['load']> {
    const values = [{ key: 'sso.greeting', value: this.greeting, origin: 'server' }];
    const problem = { message: 'is unavailable' };
    if (this.isAway) return Promise.resolve({ values: [], violations: [problem], isInUse: true });
    return Promise.resolve({ values, violations: [], isInUse: this.isInUse });
  }
}

let home: SettingsHome;
let live: ReloadableSettings<TestSettings>;
let causes: string[];
let stop: () => void;

beforeEach(async () => {
  configureLogging({ application: 'test', levels: { root: 'error' } });
  home = await SettingsHome.make();
  causes = [];
});
afterEach(async () => {
  stop();
  await home.remove();
});

const intervals = (file: string, remote: string): object => ({
  'settings.reload.file-interval': file,
  'settings.reload.remote-interval': remote,
});

async function start(settings: object, source?: SettingsSource): Promise<void> {
  await home.write(settings);
  live = await home.load(source && { sources: [source] });
  const watch = await FileWatch.open(() => live.files);
  const reload = reloadOf(live, unprepared, { around: (run) => watch.during(run) });
  const told = (cause: string): ReturnType<typeof reload> => {
    causes.push(cause);
    return reload(cause);
  };
  stop = scheduleReloads(live, watch, told, new RetrySchedule({ initial: 5, max: 60_000 }));
}

test('a changed file is applied', async () => {
  await start(intervals('5ms', '0s'));
  await home.write({ ...intervals('5ms', '0s'), 'sso.greeting': 'hi' });
  await until('the change is applied', () => live.current.greeting === 'hi');
  expect(causes).toEqual(['changed file']);
});

test('a changed file is tried again where a server was away that it needs', async () => {
  const server = new FakeServer(true);
  await start(intervals('5ms', '0s'), server);
  server.isAway = true;
  await home.write({ ...intervals('5ms', '0s'), 'sso.port': 9 });
  await until('it is tried again', () => causes.length > 2);
  server.isAway = false;
  server.greeting = 'hi';
  await until('the change is applied', () => live.current.greeting === 'hi');
  const { length } = causes;
  await pause(50);
  expect(causes.length - length).toBeLessThanOrEqual(1);
  expect(causes.slice(0, 3)).toEqual([
    'changed file',
    'changed file, tried again',
    'changed file, tried again',
  ]);
});

test('so is a file that settings name', async () => {
  const path = join(home.directory, 'ca.pem');
  await start({ ...intervals('5ms', '0s'), 'sso.file': path });
  await writeFile(path, '');
  await until('it is noticed', () => causes.length > 0);
});

test('a change of a remote server is applied, and without one nothing is polled', async () => {
  const server = new FakeServer(true);
  await start(intervals('0s', '5ms'), server);
  server.greeting = 'hi';
  await until('the change is applied', () => live.current.greeting === 'hi');
  expect(new Set(causes)).toEqual(new Set(['polling']));
  stop();
  await live.stage(unprepared).then((staged) => staged.discard());
  causes.length = 0;
  await start(intervals('0s', '5ms'), new FakeServer(false));
  await pause(50);
  expect(causes).toEqual([]);
});

describe('intervals', () => {
  test('of 0 are never over, until they are others', async () => {
    await start(intervals('0s', '0s'), new FakeServer(true));
    await home.write(intervals('5ms', '5ms'));
    await pause(50);
    expect(causes).toEqual([]);
    (await live.stage(unprepared)).commit();
    await until('it is asked', () => causes.includes('polling'));
    await home.write(intervals('5ms', '0s'));
    await until('that is off again', () => live.current.reload.remoteInterval === 0);
    await home.write(intervals('0s', '0s'));
    await until('files are looked at', () => causes.includes('changed file'));
    await until('both are off again', () => live.current.reload.fileInterval === 0);
    const { length } = causes;
    await pause(150);
    expect(causes.length - length).toBeLessThanOrEqual(1);
  });

  test('that were long are not waited for when they become short', async () => {
    await start(intervals('1d', '1d'), new FakeServer(true));
    await home.write(intervals('1d', '5ms'));
    (await live.stage(unprepared)).commit();
    await until('it is asked', () => causes.includes('polling'));
  });

  test('are over when the process ends', async () => {
    await start(intervals('5ms', '5ms'), new FakeServer(true));
    await until('it is asked', () => causes.length > 0);
    stop();
    await pause(20);
    const { length } = causes;
    await pause(50);
    expect(causes).toHaveLength(length);
  });

  test.each([
    [60_000, 0, 54_000],
    [60_000, 0.5, 60_000],
    [60_000, 1, 66_000],
    [0, 0.7, 0],
    [1, 0, 1],
  ])('of %i ms, and %d of chance, are %i ms', (interval, random, result) => {
    expect(jittered(interval, random)).toBe(result);
  });
});

test('thousands of rounds leave nothing behind', async () => {
  await start(intervals('1ms', '0s'));
  const watch = await FileWatch.open(() => live.files);
  const held = (): number => process.getActiveResourcesInfo().length;
  const before = held();
  for (let round = 0; round < 3_000; round += 1) await watch.check(() => Promise.resolve());
  // One look of ours and one pause may be under way.
  expect(held() - before).toBeLessThan(2 * live.files.length);
});

test('a refused file is retried with delays that grow to a minute, each from the end of an attempt', () => {
  let now = 0;
  const retries = new RetrySchedule(undefined, () => now);
  const delays: number[] = [];
  let last = 0;
  while (delays.length < 9) {
    if (retries.isDue(true)) {
      delays.push(now - last);
      // It takes a while.
      now += 5_000;
      last = now;
    } else {
      now += 100;
    }
    if (last === now) retries.isDue(true);
  }
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000));
});

test('once a file is accepted, the delays start again', () => {
  let now = 0;
  const retries = new RetrySchedule(undefined, () => now);
  const isDueAfter = (delay: number): boolean => {
    now += delay;
    return retries.isDue(true);
  };
  expect([isDueAfter(0), isDueAfter(1_000), isDueAfter(0), isDueAfter(1_000)]).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(retries.isDue(false)).toBe(false);
  expect([isDueAfter(5_000), isDueAfter(999), isDueAfter(1)]).toEqual([false, false, true]);
});
