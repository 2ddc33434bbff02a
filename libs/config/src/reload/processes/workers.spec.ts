// The first process and its workers, with real settings and a way between them that is in memory.
import { EventEmitter } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from 'node:cluster';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import type { LiveSettings } from '../../settings/index.js';
import { SettingsHome, type TestSettings } from '../../../../../test/support/live-settings.js';
import { until } from '../../../../../test/support/until.js';
import { reloadOf, type Reload } from '../reload.js';
import { PrimaryClient, primarySnapshot, type PrimaryChannel } from './primary-client.js';
import { Workers } from './workers.js';

/** As `node:cluster` shows it to the first process. */
const source = (): EventEmitter => new EventEmitter();

let home: SettingsHome;
let cluster: EventEmitter;
let workers: Workers;
let first: LiveSettings<TestSettings>;
let reload: Reload;
let count: number;

/** Nobody is told to end. */
const { signal } = new AbortController();

interface Worker {
  readonly live: LiveSettings<TestSettings>;
  readonly process: PrimaryClient<TestSettings>;
  /** As the first process sees it. */
  readonly seen: { readonly id: number };
}

beforeEach(async () => {
  configureLogging({ application: 'test', levels: { root: 'error' } });
  home = await SettingsHome.make();
  cluster = source();
  count = 0;
  first = await home.load();
  workers = new Workers(() => first.snapshot, cluster as unknown as Cluster);
  reload = reloadOf(first, { others: () => workers.participants() });
  workers.answerStarting();
  workers.admit(reload);
});
afterEach(() => home.remove());

/** Messages are copied on their way, as between processes. */
async function start(from = home): Promise<Worker> {
  count += 1;
  const inWorker = new EventEmitter();
  const copied = (message: unknown): unknown => JSON.parse(JSON.stringify(message));
  const toWorker = (message: unknown): unknown =>
    setImmediate(() => inWorker.emit('message', copied(message)));
  const seen = { id: count, process: { pid: 1_000 + count }, send: toWorker };
  const toFirst = (message: unknown): unknown =>
    setImmediate(() => cluster.emit('message', seen, copied(message)));
  const channel = Object.assign(inWorker, { send: toFirst });
  const live = await from.load({}, await primarySnapshot(channel));
  return { live, process: new PrimaryClient(live, channel), seen };
}

async function joined(from = home): Promise<Worker> {
  const worker = await start(from);
  await worker.process.join(signal);
  await reload('a pause');
  return worker;
}

const greet = (greeting: string): Promise<void> => home.write({ 'sso.greeting': greeting });
const greetings = (all: readonly Worker[]): string[] =>
  [first, ...all.map(({ live }) => live)].map(({ current }) => current.greeting);

test('a reload that one worker asks for is one of all', async () => {
  const all = [await joined(), await joined()];
  await greet('hi');
  expect(await all[1]?.process.reload('SIGHUP')).toEqual({
    changed: ['sso.greeting'],
    restart: [],
  });
  expect(greetings(all)).toEqual(['hi', 'hi', 'hi']);
});

test('where one worker cannot, all stay as they are', async () => {
  const all = [await joined(), await joined()];
  all[1]?.live.follow({ files: [], prepare: () => Promise.reject(new Error('no file')) });
  await greet('hi');
  expect(await all[0]?.process.reload('SIGHUP')).toEqual({
    problems: ['settings could not be used: the log says why'],
  });
  expect(greetings(all)).toEqual(['hello', 'hello', 'hello']);
});

test('where one reads other settings than the rest, all stay as they are', async () => {
  const elsewhere = await SettingsHome.make();
  const all = [await joined(), await joined(elsewhere)];
  await greet('hi');
  expect(await reload('SIGHUP')).toEqual({ problems: [expect.stringContaining('unequal')] });
  expect(greetings(all)).toEqual(['hello', 'hello', 'hello']);
  await copyFile(
    join(home.directory, 'config/sso.yml'),
    join(elsewhere.directory, 'config/sso.yml'),
  );
  expect(await reload('SIGHUP')).toEqual({ changed: ['sso.greeting'], restart: [] });
  expect(greetings(all)).toEqual(['hi', 'hi', 'hi']);
  await elsewhere.remove();
});

test('a worker that ends meanwhile has refused, and the next reload does without it', async () => {
  const all = [await joined(), await joined()];
  const stuck = all[1];
  stuck?.live.follow({
    files: [],
    prepare: () => {
      cluster.emit('disconnect', stuck.seen);
      return new Promise(() => {});
    },
  });
  await greet('hi');
  expect(await reload('SIGHUP')).toEqual({ problems: ['worker 1002 ended meanwhile'] });
  expect(greetings(all)).toEqual(['hello', 'hello', 'hello']);
  expect(await reload('SIGHUP')).toEqual({ changed: ['sso.greeting'], restart: [] });
  expect(greetings(all)).toEqual(['hi', 'hi', 'hello']);
});

describe('a worker that comes up', () => {
  test.each([
    ['wrong', { 'sso.port': -1 }],
    ['other', { 'sso.greeting': 'hi', 'sso.port': 1 }],
  ])('has the current settings where files are %s', async (_what, settings) => {
    const all = [await joined()];
    await home.write(settings);
    const late = await start();
    expect(late.live.current).toEqual(first.current);
    await late.process.join(signal);
    await reload('SIGHUP');
    expect(late.live.current).toEqual(first.current);
    expect(all[0]?.live.current).toEqual(first.current);
  });

  test('has what the others went over to meanwhile, although files are wrong by now', async () => {
    const late = await start();
    await greet('hi');
    await reload('SIGHUP');
    await home.write({ 'sso.port': -1 });
    expect(greetings([late])).toEqual(['hi', 'hello']);
    await late.process.join(signal);
    expect(greetings([late])).toEqual(['hi', 'hi']);
  });

  test('during a reload is brought along after it', async () => {
    const all = [await joined()];
    const late = await start();
    await greet('hi');
    const held = Promise.withResolvers<undefined>();
    let preparing = 0;
    const prepare = (): Promise<undefined> => {
      preparing += 1;
      return held.promise;
    };
    for (const live of [first, all[0]?.live]) live?.follow({ files: [], prepare });
    const asked = reload('SIGHUP');
    const joining = late.process.join(signal);
    await until('it has joined', () => workers.processes.length === 2);
    await until('the others have read their settings', () => preparing === 2);
    await home.write({ 'sso.port': -1 });
    held.resolve(undefined);
    await Promise.all([asked, joining]);
    expect(greetings([late])).toEqual(['hi', 'hi']);
  });

  test('and cannot get the current settings does not join', async () => {
    const late = await start();
    late.live.follow({ files: [], prepare: () => Promise.reject(new Error('no file')) });
    await expect(late.process.join(signal)).rejects.toThrow('could not be used');
  });

  test('and is stopped meanwhile waits for nobody', async () => {
    const silent = Object.assign(new EventEmitter(), { send: () => undefined });
    const process = new PrimaryClient(first, silent);
    const end = new AbortController();
    const joining = process.join(end.signal);
    end.abort();
    await joining;
    await new PrimaryClient(first, silent).join(end.signal);
  });
});

test('a worker that does not answer is left out until it does, and then brought along', async () => {
  cluster = source();
  workers = new Workers(() => first.snapshot, cluster as unknown as Cluster, 1_000);
  reload = reloadOf(first, { others: () => workers.participants() });
  workers.answerStarting();
  workers.admit(reload);
  const all = [await joined(), await joined()];
  const held = Promise.withResolvers<undefined>();
  all[1]?.live.follow({ files: [], prepare: () => held.promise });
  await greet('hi');
  expect(await reload('SIGHUP')).toEqual({
    problems: ['worker 1002 did not answer within 1 s'],
  });
  const begin = performance.now();
  expect(await reload('SIGHUP')).toMatchObject({ changed: ['sso.greeting'] });
  expect(performance.now() - begin).toBeLessThan(1_000);
  expect(greetings(all)).toEqual(['hi', 'hi', 'hello']);
  await home.write({ 'sso.port': -1 });
  held.resolve(undefined);
  await until('it is brought along', () => all[1]?.live.current.greeting === 'hi');
  await greet('later');
  await reload('SIGHUP');
  expect(greetings(all)).toEqual(['later', 'later', 'later']);
});

test('the files of all are known', async () => {
  const worker = await start();
  worker.live.follow({ files: ['a'], prepare: () => Promise.resolve(undefined) });
  await worker.process.join(signal);
  const files = (): readonly string[] => workers.processes.flatMap((each) => each.files);
  expect(files()).toContain('a');
  worker.live.follow({ files: ['b'], prepare: () => Promise.resolve(undefined) });
  await reload('SIGHUP');
  expect(files()).toContain('b');
});

test('a request is answered when the first process is gone', async () => {
  const channel = new EventEmitter() as EventEmitter & PrimaryChannel;
  const process = new PrimaryClient(first, channel);
  const asked = process.reload('SIGHUP');
  channel.emit('disconnect');
  expect(await asked).toEqual({ problems: ['the process is ending'] });
});

test('what others say on the same way is passed over', async () => {
  const worker = await joined();
  for (const message of [undefined, { listening: 'x' }, { reload: 'vote' }]) {
    cluster.emit('message', worker.seen, message);
  }
  await greet('hi');
  expect(await reload('SIGHUP')).toMatchObject({ changed: ['sso.greeting'] });
});
