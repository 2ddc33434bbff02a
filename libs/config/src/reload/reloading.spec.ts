import cluster from 'node:cluster';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import type { ReloadableSettings } from '../settings/index.js';
import {
  SettingsHome,
  type TestSettings,
  unprepared,
} from '../../../../test/support/live-settings.js';
import { until } from '../../../../test/support/until.js';
import type { Reload } from './reload.js';
import { openReloading } from './reloading.js';

interface LogLine {
  readonly cause: string;
}

let home: SettingsHome;
let live: ReloadableSettings<TestSettings>;
let ending: AbortController;
let causes: unknown[];

beforeEach(async () => {
  causes = [];
  const write = (line: string): unknown => causes.push((JSON.parse(line) as LogLine).cause);
  configureLogging({ application: 'test', levels: {}, write });
  home = await SettingsHome.make();
  await greet('hello');
  live = await home.load();
  ending = new AbortController();
});
afterEach(async () => {
  ending.abort();
  cluster.removeAllListeners('message');
  configureLogging({ application: 'test', levels: { root: 'warn' } });
  await home.remove();
});

const greet = (greeting: string): Promise<void> =>
  home.write({ 'settings.reload.file-interval': '5ms', 'sso.greeting': greeting });
const isIn = (greeting: string) => (): boolean => live.current.greeting === greeting;

/** As if it came from outside. */
function hangUp(): void {
  process.emit('SIGHUP', 'SIGHUP');
}

test('nothing reloads before the start of it, and a call always does', async () => {
  const { reload } = await openReloading(live, unprepared);
  await greet('hi');
  expect(isIn('hi')()).toBe(false);
  expect(await reload('a call')).toMatchObject({ changed: ['sso.greeting'] });
});

test('a change before the start of the watch is applied', async () => {
  const { start } = await openReloading(live, unprepared);
  await greet('hi');
  start(ending.signal);
  await until('the change is applied', isIn('hi'));
});

test('SIGHUP reloads', async () => {
  await home.write({ 'settings.reload.file-interval': '0s' });
  live = await home.load();
  const { start } = await openReloading(live, unprepared);
  start(ending.signal);
  await greet('hi');
  hangUp();
  await until('the change is applied', isIn('hi'));
});

test.each([
  ['a call', (reload: Reload) => reload('a call')],
  ['SIGHUP', () => undefined],
])('%s after a change is not followed by the same reload for the file', async (cause, ask) => {
  const { reload, start } = await openReloading(live, unprepared);
  await greet('hi');
  await ask(reload);
  start(ending.signal);
  if (cause === 'SIGHUP') hangUp();
  await until('the change is applied', isIn('hi'));
  await setTimeout(200);
  expect(causes).toEqual([cause]);
});

test('a waiting call is answered at once when the process shuts down', async () => {
  const preparing = Promise.withResolvers<undefined>();
  const { reload, start } = await openReloading(live, () => {
    preparing.resolve(undefined);
    return new Promise<never>(() => {});
  });
  start(ending.signal);
  await greet('hi');
  const asked = reload('a call');
  await preparing.promise;
  ending.abort();
  expect(await asked).toEqual({ problems: ['the process is ending'] });
});

test.each([
  ['when it is stopped', () => undefined],
  ['when it was stopped while it started', () => ending.abort()],
])('a process does not reload %s', async (_rule, before) => {
  const reloading = await openReloading(live, unprepared);
  before();
  reloading.start(ending.signal);
  ending.abort();
  await greet('hi');
  hangUp();
  expect(await reloading.reload('a call')).toEqual({ problems: ['the process is ending'] });
  await setTimeout(50);
  expect(isIn('hello')()).toBe(true);
  expect(causes).toEqual([]);
});
