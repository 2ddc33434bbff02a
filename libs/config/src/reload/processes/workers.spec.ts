// The primary process and its workers, with real settings and a channel between them that is in memory.
import { EventEmitter } from 'node:events';
import type { Cluster } from 'node:cluster';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import type { PrepareSettings, ReloadableSettings } from '../../settings/index.js';
import {
  SettingsHome,
  type TestSettings,
  unprepared,
} from '../../../../../test/support/live-settings.js';
import { until } from '../../../../../test/support/until.js';
import { applyNewSettings, reloadOf, type Reload } from '../reload.js';
import { PrimaryClient, primarySnapshot, type PrimaryChannel } from './primary-client.js';
import { Workers } from './workers.js';

let home: SettingsHome;
let cluster: EventEmitter;
let primary: ReloadableSettings<TestSettings>;
let prepare: PrepareSettings<TestSettings>;
let reload: Reload;
let count: number;

interface StartedWorker {
  readonly live: ReloadableSettings<TestSettings>;
  readonly client: PrimaryClient;
  /** As the primary process sees it. */
  readonly seen: object;
}

beforeEach(async () => {
  configureLogging({ application: 'test', levels: {}, write: () => undefined });
  home = await SettingsHome.make();
  count = 0;
  primary = await home.load();
  openPrimary();
});
afterEach(async () => {
  configureLogging({ application: 'test', levels: { root: 'warn' } });
  await home.remove();
});

function openPrimary(timeout?: number): void {
  prepare = unprepared;
  cluster = new EventEmitter();
  const workers = new Workers(() => primary.snapshot, cluster as unknown as Cluster, timeout);
  reload = reloadOf(primary, (next) => prepare(next), { publish: () => workers.publish() });
  workers.open(reload);
}

/** Messages are copied on their way, as between processes. A worker that cannot use settings ends. */
async function start(prepareWorker = unprepared): Promise<StartedWorker> {
  count += 1;
  const inWorker = new EventEmitter();
  const copied = (message: unknown): unknown => JSON.parse(JSON.stringify(message));
  const end = (): unknown => setImmediate(() => cluster.emit('disconnect', seen));
  const seen = {
    process: { pid: 1_000 + count, kill: end },
    send: (message: unknown) => setImmediate(() => inWorker.emit('message', copied(message))),
  };
  const channel = Object.assign(inWorker, {
    send: (message: unknown) => setImmediate(() => cluster.emit('message', seen, copied(message))),
  });
  const live = await home.load({}, await primarySnapshot(channel));
  const client = new PrimaryClient(async (snapshot) => {
    const outcome = await applyNewSettings(live, prepareWorker, snapshot);
    if ('problems' in outcome) end();
  }, channel);
  return { live, client, seen };
}

async function started(prepareWorker = unprepared): Promise<StartedWorker> {
  const worker = await start(prepareWorker);
  worker.client.start();
  return worker;
}

const greet = (greeting: string): Promise<void> => home.write({ 'sso.greeting': greeting });
const greetings = (all: readonly StartedWorker[]): string[] =>
  [primary, ...all.map(({ live }) => live)].map(({ current }) => current.greeting);
const GREETED = { changed: ['sso.greeting'], restart: [] };

test('a reload that a worker requests is one of all, and ends when all have the settings', async () => {
  const all = [await started(), await started()];
  await greet('hi');
  expect(await all[1]?.client.reload('SIGHUP')).toEqual(GREETED);
  expect(greetings(all)).toEqual(['hi', 'hi', 'hi']);
});

test('settings that the primary process cannot use reach no worker', async () => {
  const all = [await started(), await started()];
  prepare = () => Promise.reject(new Error('no file'));
  await greet('hi');
  expect(await all[0]?.client.reload('SIGHUP')).toEqual({
    problems: ['settings could not be used: the log says why'],
  });
  expect(greetings(all)).toEqual(['hello', 'hello', 'hello']);
});

test('a worker that cannot use them ends, and holds up nobody', async () => {
  const all = [await started(), await started(() => Promise.reject(new Error('no file')))];
  await greet('hi');
  expect(await reload('SIGHUP')).toEqual(GREETED);
  expect(greetings(all)).toEqual(['hi', 'hi', 'hello']);
  const replaced = await started();
  expect(greetings([replaced])).toEqual(['hi', 'hi']);
});

test('a worker that does not answer is killed', async () => {
  openPrimary(1);
  const all = [await started(), await started(() => new Promise<never>(() => {}))];
  await greet('hi');
  expect(await reload('SIGHUP')).toEqual(GREETED);
  expect(greetings(all)).toEqual(['hi', 'hi', 'hello']);
});

describe('a worker that starts', () => {
  test('has the current settings, whatever the files contain', async () => {
    await home.write({ 'sso.port': -1 });
    const late = await started();
    expect(late.live.current).toEqual(primary.current);
  });

  test('during a reload applies its settings after the start', async () => {
    const late = await start();
    await greet('hi');
    const reloading = reload('SIGHUP');
    await until('the primary process has the settings', () => primary.current.greeting === 'hi');
    await home.write({ 'sso.port': -1 });
    late.client.start();
    expect(await reloading).toEqual(GREETED);
    expect(greetings([late])).toEqual(['hi', 'hi']);
  });
});

test('a request is answered when the primary process is gone', async () => {
  const channel = new EventEmitter() as EventEmitter & PrimaryChannel;
  const client = new PrimaryClient(() => Promise.resolve(), channel);
  const asked = client.reload('SIGHUP');
  channel.emit('disconnect');
  expect(await asked).toEqual({ problems: ['the process is ending'] });
});

test('other messages on the channel are ignored', async () => {
  const worker = await started();
  for (const message of [undefined, { listening: 'x' }, { reload: 'other' }]) {
    cluster.emit('message', worker.seen, message);
  }
  await greet('hi');
  expect(await reload('SIGHUP')).toEqual(GREETED);
});
