// What the log says where a backend cannot be refreshed, as by a webhook: who sent it is told 503 alone.
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { BackendError } from '../backends/backend-error.js';
import type { BackendEnvironment, EnvironmentQuery } from '../backends/environment-backend.js';
import { CachedBackend, type CachedBackendOptions } from './cached-backend.js';

const QUERY: EnvironmentQuery = { applications: ['a'], profiles: ['p'], label: undefined };
const FOUND: BackendEnvironment = { revision: '1', version: null, state: null, sources: [] };
const cause = Object.assign(new Error('no answer'), { code: 'X_DOWN' });
const AWAY = BackendError.unavailable('stand-in', cause);
const IS_AWAY = ['warn', 'a backend is away', 'stand-in', 'X_DOWN'];
const IS_BACK = ['info', 'a backend is back', 'stand-in', 'X_DOWN'];

let fault: Error | undefined;
let lines: unknown[];

beforeEach(() => {
  [fault, lines] = [AWAY, []];
  const write = (line: string): void => {
    const { level, msg, backend } = JSON.parse(line) as Record<string, string>;
    lines.push([level, msg, backend, /X_[A-Z]+/.exec(line)?.[0]]);
  };
  configureLogging({ application: 'test', levels: { root: 'info' }, write });
});
afterAll(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

/** Stands in for a backend that fails as it is told to. */
function cached(whenUnavailable: CachedBackendOptions['whenUnavailable'] = 'fail') {
  const answer = <T>(value: T): Promise<T> =>
    fault ? Promise.reject(fault) : Promise.resolve(value);
  const backend = { name: 'stand-in', find: () => answer(FOUND), refresh: () => answer(undefined) };
  const made = new CachedBackend(backend, { whenUnavailable, capacity: 10_000 });
  return {
    find: () => made.find(QUERY),
    refresh: () => made.refresh?.(),
    close: () => made.close(),
  };
}

test('a refresh that fails is told with the reason, once with the questions that fail', async () => {
  const { find, refresh } = cached();
  await expect(refresh()).rejects.toBe(AWAY);
  await expect(refresh()).rejects.toBe(AWAY);
  await expect(find()).rejects.toBe(AWAY);
  expect(lines).toEqual([IS_AWAY]);
});

test.each(['find', 'refresh'] as const)(
  'that it is over is told with the next %s',
  async (next) => {
    const backend = cached();
    await expect(backend.refresh()).rejects.toBe(AWAY);
    fault = undefined;
    await backend[next]();
    expect(lines).toEqual([IS_AWAY, IS_BACK]);
    fault = AWAY;
    await expect(backend.refresh()).rejects.toBe(AWAY);
    expect(lines).toEqual([IS_AWAY, IS_BACK, IS_AWAY]);
  },
);

test('nothing is told of other faults, of a backend that is closed, or of one that serves what it knows', async () => {
  fault = new Error('a fault of ours');
  await expect(cached().refresh()).rejects.toBe(fault);
  fault = AWAY;
  await expect(cached('last-known-good').refresh()).rejects.toBe(AWAY);
  const closed = cached();
  await closed.close();
  await expect(closed.refresh()).rejects.toBe(AWAY);
  expect(lines).toEqual([]);
});
