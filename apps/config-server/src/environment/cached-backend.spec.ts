// How often a backend is asked, and what is said while it is away.
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { BackendError } from '../backends/backend-error.js';
import type { BackendEnvironment, EnvironmentQuery } from '../backends/environment-backend.js';
import { CachedBackend, MAX_AGE } from './cached-backend.js';

const QUERY: EnvironmentQuery = { applications: ['a'], profiles: ['p'], label: undefined };
const away = BackendError.unavailable('stand-in');

/** Stands in for a backend: says what it is told to, and counts the questions. */
let said: BackendEnvironment | Error;
let questions: EnvironmentQuery[];
let refreshed: number;
let now: number;

function saying(revision: string, version: string | null = null): BackendEnvironment {
  const properties = new Map([['k', { value: revision }]]);
  return { revision, version, state: null, sources: [{ name: 'x', properties }] };
}

function cached(whenUnavailable: 'fail' | 'last-known-good', capacity = 10_000): CachedBackend {
  const backend = {
    name: 'stand-in',
    async find(query: EnvironmentQuery) {
      questions.push(query);
      await Promise.resolve();
      if (said instanceof Error) throw said;
      return said;
    },
    refresh() {
      refreshed += 1;
      return Promise.resolve();
    },
  };
  return new CachedBackend(backend, { whenUnavailable, capacity, clock: () => now });
}

beforeEach(() => {
  [said, questions, refreshed, now] = [saying('1'), [], 0, 0];
});

describe('questions', () => {
  test('at the same time share one answer, whatever it is', async () => {
    const backend = cached('fail');
    const answers = await Promise.all([backend.find(QUERY), backend.find({ ...QUERY })]);
    expect(answers[0]).toBe(answers[1]);
    [said, now] = [away, MAX_AGE];
    const failures = await Promise.allSettled([backend.find(QUERY), backend.find(QUERY)]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(questions).toHaveLength(2);
  });

  test('need not be asked while the answer is fresh', async () => {
    const backend = cached('fail');
    expect(backend.known(QUERY)).toBeUndefined();
    const answer = await backend.find(QUERY);
    now = MAX_AGE - 1;
    expect(backend.known({ ...QUERY })).toBe(answer);
    expect(backend.known({ ...QUERY, label: 'main' })).toBeUndefined();
    await backend.refresh?.();
    expect(backend.known(QUERY)).toBeUndefined();
    await backend.find(QUERY);
    now += MAX_AGE;
    expect(backend.known(QUERY)).toBeUndefined();
  });

  test.each([
    [MAX_AGE - 1, '1', 1],
    [MAX_AGE, '2', 2],
  ])('after %i ms get answer %s', async (later, revision, count) => {
    const backend = cached('fail');
    await backend.find(QUERY);
    [said, now] = [saying('2'), later];
    expect((await backend.find(QUERY)).revision).toBe(revision);
    expect(questions).toHaveLength(count);
  });

  test.each([
    { ...QUERY, applications: ['b'] },
    { ...QUERY, profiles: ['q'] },
    { ...QUERY, label: 'main' },
  ])('for another environment are others: %j', async (query) => {
    const backend = cached('fail');
    await Promise.all([backend.find(QUERY), backend.find(query)]);
    expect(questions).toEqual([QUERY, query]);
  });

  test('are asked anew when the backend was refreshed, also where one is under way', async () => {
    const backend = cached('fail');
    const before = backend.find(QUERY);
    await backend.refresh?.();
    [said, now] = [saying('2'), 1];
    await before;
    expect((await backend.find(QUERY)).revision).toBe('2');
    expect(refreshed).toBe(1);
  });

  test('are asked each time where the answer has no room', async () => {
    const backend = cached('fail', 10);
    await backend.find(QUERY);
    await backend.find(QUERY);
    expect(questions).toHaveLength(2);
  });
});

describe('an answer', () => {
  test.each([
    [saying('1'), true],
    [saying('2'), false],
    [saying('1', 'commit'), false],
  ])('%j is the same object: %s', async (next, isSame) => {
    const backend = cached('fail');
    const first = await backend.find(QUERY);
    [said, now] = [next, MAX_AGE];
    expect((await backend.find(QUERY)) === first).toBe(isSame);
  });
});

describe('while the backend is away', () => {
  test('fail: its error goes on, and the next question is asked', async () => {
    const backend = cached('fail');
    await backend.find(QUERY);
    [said, now] = [away, MAX_AGE];
    await expect(backend.find(QUERY)).rejects.toBe(away);
    said = saying('2');
    expect((await backend.find(QUERY)).revision).toBe('2');
  });

  test('last-known-good: what it said last, until it is back', async () => {
    const backend = cached('last-known-good');
    const first = await backend.find(QUERY);
    [said, now] = [away, MAX_AGE];
    expect(await backend.find(QUERY)).toBe(first);
    [said, now] = [saying('2'), 2 * MAX_AGE];
    expect((await backend.find(QUERY)).revision).toBe('2');
  });

  test('last-known-good: its error where it never said anything', async () => {
    said = away;
    await expect(cached('last-known-good').find(QUERY)).rejects.toBe(away);
  });

  test('last-known-good: what it said last, whatever others asked since', async () => {
    const backend = cached('last-known-good', 100_000);
    const first = await backend.find(QUERY);
    for (let index = 0; index < 1000; index++) {
      // What nobody made anything for gets what is for all.
      said = { ...first, revision: 'for all', sources: [...first.sources] };
      await backend.find({ ...QUERY, applications: [`made-up-${index}`] });
    }
    [said, now] = [away, MAX_AGE];
    expect(await backend.find(QUERY)).toBe(first);
    await expect(backend.find({ ...QUERY, applications: ['made-up-1'] })).rejects.toBe(away);
  });

  test.each([
    new BackendError('LABEL_UNKNOWN', 'no such label'),
    new BackendError('SOURCE_MALFORMED', 'x.yml, line 1'),
    new Error('a fault of ours'),
  ])('last-known-good hides no other fault: %s', async (fault) => {
    const backend = cached('last-known-good');
    await backend.find(QUERY);
    [said, now] = [fault, MAX_AGE];
    await expect(backend.find(QUERY)).rejects.toBe(fault);
  });
});

describe('the log', () => {
  let lines: string[];
  const awayFor = (code: string): BackendError =>
    BackendError.unavailable(
      'stand-in',
      new Error('x', { cause: Object.assign(new Error('y'), { code }) }),
    );

  beforeEach(() => {
    lines = [];
    const write = (line: string): void => {
      const { level, msg } = JSON.parse(line) as Record<string, string>;
      lines.push([level, msg, /X_[A-Z]+/.exec(line)?.[0] ?? ''].join(' ').trim());
    };
    configureLogging({ application: 'test', levels: { root: 'info' }, write });
  });
  afterAll(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

  test('tells that a backend is away once for each reason, and that it is back', async () => {
    const backend = cached('fail');
    for (const next of [
      away,
      away,
      awayFor('X_DOWN'),
      awayFor('X_DOWN'),
      awayFor('X_NO'),
      saying('1'),
    ]) {
      said = next;
      await backend.find(QUERY).catch(() => {});
    }
    expect(lines).toEqual([
      'warn a backend is away',
      'warn a backend is away X_DOWN',
      'warn a backend is away X_NO',
      'info a backend is back',
      'info a backend is back X_DOWN',
      'info a backend is back X_NO',
    ]);
  });

  test('tells once of what alone is refused', async () => {
    const backend = cached('fail');
    const ask = (next: BackendEnvironment | Error, application: string) => {
      said = next;
      return backend.find({ ...QUERY, applications: [application] }).catch(() => {});
    };
    for (let round = 0; round < 3; round += 1) {
      now += MAX_AGE;
      await ask(saying('1'), 'allowed');
      await ask(awayFor('X_NO'), 'refused');
    }
    expect(lines).toEqual(['warn a backend is away X_NO']);
    await ask(saying('1'), 'refused');
    expect(lines[1]).toBe('info a backend is back X_NO');
    await ask(awayFor('X_NO'), 'refused again');
    expect(lines[2]).toBe('warn a backend is away X_NO');
  });

  test('tells of an outage beside what alone is refused', async () => {
    const backend = cached('fail');
    const ask = (next: BackendEnvironment | Error, application: string) => {
      now += MAX_AGE;
      said = next;
      return backend.find({ ...QUERY, applications: [application] }).catch(() => {});
    };
    await ask(awayFor('X_NO'), 'refused');
    await ask(awayFor('X_DOWN'), 'allowed');
    await ask(awayFor('X_DOWN'), 'refused');
    await ask(saying('1'), 'allowed');
    await ask(awayFor('X_NO'), 'refused');
    expect(lines).toEqual([
      'warn a backend is away X_NO',
      'warn a backend is away X_DOWN',
      'info a backend is back X_DOWN',
    ]);
  });

  test.each(['a0', 'a1099'])(
    'tells that it is back, however many questions were left without an answer: %s',
    async (application) => {
      const backend = cached('fail', 1_000_000);
      for (const round of [1, 2]) {
        said = away;
        for (let index = 0; index < 1_100; index += 1) {
          await backend.find({ ...QUERY, applications: [`a${index}`] }).catch(() => {});
        }
        said = saying('1');
        now += MAX_AGE;
        await backend.find({ ...QUERY, applications: [application] });
        now += MAX_AGE;
        expect(lines).toHaveLength(2 * round);
      }
      expect(lines.slice(2)).toEqual(['warn a backend is away', 'info a backend is back']);
    },
  );

  test('tells nothing of a backend that was closed', async () => {
    const backend = cached('fail');
    await backend.close();
    said = away;
    await expect(backend.find(QUERY)).rejects.toBe(away);
    expect(lines).toEqual([]);
  });
});

test('it can do what the backend can do', async () => {
  const file = { content: Buffer.from('x'), modified: new Date(0) };
  const options = { whenUnavailable: 'fail', capacity: 1 } as const;
  const find = (): Promise<BackendEnvironment> => Promise.resolve(saying('1'));
  const bare = new CachedBackend({ name: 'bare', find }, options);
  expect([bare.name, bare.readFile, bare.refresh]).toEqual(['bare', undefined, undefined]);
  await bare.close();
  const full = new CachedBackend(
    { name: 'full', find, readFile: () => Promise.resolve(file) },
    options,
  );
  expect(await full.readFile?.({ ...QUERY, path: 'x' })).toBe(file);
});
