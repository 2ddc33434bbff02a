import { beforeEach, describe, expect, test } from '@jest/globals';
import { BackendError } from './backend-error.js';
import { backendReads } from './backend-events.js';
import type { BackendEnvironment, EnvironmentQuery } from './environment-backend.js';
import { CachedBackend, MAX_AGE_MS } from './cached-backend.js';

const QUERY: EnvironmentQuery = { applications: ['a'], profiles: ['p'], label: undefined };
const unavailable = BackendError.unavailable('fake');

/** The answer of the fake backend, and the queries it got. */
let answer: BackendEnvironment | Error;
let queries: EnvironmentQuery[];
let refreshed: number;
let now: number;

function answerOf(revision: string): BackendEnvironment {
  const properties = new Map([['k', { value: revision }]]);
  return { revision, version: null, state: null, sources: [{ name: 'x', properties }] };
}

function cached(whenUnavailable: 'fail' | 'last-known-good', capacity = 10_000): CachedBackend {
  const backend = {
    name: 'fake',
    async find(query: EnvironmentQuery) {
      queries.push(query);
      await Promise.resolve();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    refresh() {
      refreshed += 1;
      return Promise.resolve();
    },
  };
  return new CachedBackend(backend, { whenUnavailable, capacity, clock: () => now });
}

beforeEach(() => {
  [answer, queries, refreshed, now] = [answerOf('1'), [], 0, 0];
});

describe('queries', () => {
  test('at the same time share one answer or error', async () => {
    const backend = cached('fail');
    const answers = await Promise.all([backend.find(QUERY), backend.find({ ...QUERY })]);
    expect(answers[0]).toBe(answers[1]);
    [answer, now] = [unavailable, MAX_AGE_MS];
    const failures = await Promise.allSettled([backend.find(QUERY), backend.find(QUERY)]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(queries).toHaveLength(2);
  });

  test('publish their outcome, and none for a known answer', async () => {
    const outcomes: unknown[] = [];
    const end = backendReads.subscribe(({ backend, outcome }) => outcomes.push([backend, outcome]));
    const subject = cached('last-known-good');
    await subject.find(QUERY);
    await subject.find(QUERY);
    [answer, now] = [unavailable, MAX_AGE_MS];
    await subject.find(QUERY);
    [answer, now] = [new Error('malformed'), 2 * MAX_AGE_MS];
    await expect(subject.find(QUERY)).rejects.toThrow('malformed');
    end();
    expect(outcomes).toEqual([
      ['fake', 'success'],
      ['fake', 'unavailable'],
      ['fake', 'failed'],
    ]);
  });

  test.each([
    [MAX_AGE_MS - 1, '1', 1],
    [MAX_AGE_MS, '2', 2],
  ])('after %i ms get answer %s', async (later, revision, count) => {
    const backend = cached('fail');
    await backend.find(QUERY);
    [answer, now] = [answerOf('2'), later];
    expect((await backend.find(QUERY)).revision).toBe(revision);
    expect(queries).toHaveLength(count);
  });

  test.each([
    { ...QUERY, applications: ['b'] },
    { ...QUERY, profiles: ['q'] },
    { ...QUERY, label: 'main' },
  ])('for another environment are separate: %j', async (query) => {
    const backend = cached('fail');
    await Promise.all([backend.find(QUERY), backend.find(query)]);
    expect(queries).toEqual([QUERY, query]);
  });

  test('are repeated after a refresh of the backend, also during a query', async () => {
    const backend = cached('fail');
    const before = backend.find(QUERY);
    await backend.refresh?.();
    [answer, now] = [answerOf('2'), 1];
    await before;
    expect((await backend.find(QUERY)).revision).toBe('2');
    expect(refreshed).toBe(1);
  });

  test('are repeated each time if the answer is larger than the cache', async () => {
    const backend = cached('fail', 10);
    await backend.find(QUERY);
    await backend.find(QUERY);
    expect(queries).toHaveLength(2);
  });
});

describe('while the backend is unavailable', () => {
  test('fail: callers get its error, and the next query is sent', async () => {
    const backend = cached('fail');
    await backend.find(QUERY);
    [answer, now] = [unavailable, MAX_AGE_MS];
    await expect(backend.find(QUERY)).rejects.toBe(unavailable);
    answer = answerOf('2');
    expect((await backend.find(QUERY)).revision).toBe('2');
  });

  test('last-known-good: its last answer, until it is available again', async () => {
    const backend = cached('last-known-good');
    const first = await backend.find(QUERY);
    [answer, now] = [unavailable, MAX_AGE_MS];
    expect(await backend.find(QUERY)).toBe(first);
    [answer, now] = [answerOf('2'), 2 * MAX_AGE_MS];
    expect((await backend.find(QUERY)).revision).toBe('2');
  });

  test('last-known-good: its error if there is no earlier answer', async () => {
    answer = unavailable;
    await expect(cached('last-known-good').find(QUERY)).rejects.toBe(unavailable);
  });

  test.each([
    new BackendError('LABEL_UNKNOWN', 'no such label'),
    new BackendError('SOURCE_MALFORMED', 'x.yml, line 1'),
    new Error('an unexpected error'),
  ])('last-known-good hides no other error: %s', async (error) => {
    const backend = cached('last-known-good');
    await backend.find(QUERY);
    [answer, now] = [error, MAX_AGE_MS];
    await expect(backend.find(QUERY)).rejects.toBe(error);
  });
});

test('it has the optional methods of the backend', async () => {
  const file = { content: Buffer.from('x'), modified: new Date(0) };
  const options = { whenUnavailable: 'fail', capacity: 1 } as const;
  const find = (): Promise<BackendEnvironment> => Promise.resolve(answerOf('1'));
  const bare = new CachedBackend({ name: 'bare', find }, options);
  expect([bare.name, bare.readFile, bare.refresh]).toEqual(['bare', undefined, undefined]);
  await bare.close();
  const full = new CachedBackend(
    { name: 'full', find, readFile: () => Promise.resolve(file) },
    options,
  );
  expect(await full.readFile?.({ ...QUERY, path: 'x' })).toBe(file);
});
