import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { BackendError } from './backend-error.js';
import type { BackendEnvironment, EnvironmentQuery } from './environment-backend.js';
import { CachedBackend, MAX_AGE_MS, type CachedBackendOptions } from './cached-backend.js';

const QUERY: EnvironmentQuery = { applications: ['a'], profiles: ['p'], label: undefined };
const FOUND: BackendEnvironment = { revision: '1', version: null, state: null, sources: [] };
const UNAVAILABLE = BackendError.unavailable('fake');
const DOWN = unavailableFor('X_DOWN');

let answer: BackendEnvironment | Error;
let now: number;
let lines: string[];

function unavailableFor(code: string): BackendError {
  const cause = Object.assign(new Error('y'), { code });
  return BackendError.unavailable('fake', new Error('x', { cause }));
}

function unavailable(code?: string): string {
  return ['warn a backend is unavailable: fake', code].filter(Boolean).join(' ');
}

function availableAgain(code?: string): string {
  return ['info a backend is available again: fake', code].filter(Boolean).join(' ');
}

/** A cache in front of a fake backend, which answers every call with `answer`. */
function cached(
  whenUnavailable: CachedBackendOptions['whenUnavailable'] = 'fail',
  capacity = 10_000,
): CachedBackend {
  const find = (): Promise<BackendEnvironment> =>
    answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  const backend = { name: 'fake', find, refresh: async () => void (await find()) };
  return new CachedBackend(backend, { whenUnavailable, capacity, clock: () => now });
}

beforeEach(() => {
  [answer, now, lines] = [FOUND, 0, []];
  const write = (line: string): void => {
    const { level, msg, backend } = JSON.parse(line) as Record<string, string>;
    const code = /X_[A-Z]+/.exec(line)?.[0] ?? '';
    lines.push(`${level} ${msg}: ${backend} ${code}`.trim());
  };
  configureLogging({ application: 'test', levels: { root: 'info' }, write });
});

afterAll(() => configureLogging({ application: 'test', levels: { root: 'warn' } }));

describe('queries', () => {
  function query(
    backend: CachedBackend,
    next: BackendEnvironment | Error,
    application: string,
  ): Promise<unknown> {
    answer = next;
    return backend.find({ ...QUERY, applications: [application] }).catch(() => {});
  }

  test('log an outage once for each reason, and its end', async () => {
    const backend = cached();
    const answers = [UNAVAILABLE, UNAVAILABLE, DOWN, DOWN, unavailableFor('X_NO'), FOUND];
    for (const next of answers) await query(backend, next, 'a');
    expect(lines).toEqual([
      unavailable(),
      unavailable('X_DOWN'),
      unavailable('X_NO'),
      availableAgain(),
      availableAgain('X_DOWN'),
      availableAgain('X_NO'),
    ]);
  });

  test('log the causes of an outage without stacks', async () => {
    const write = (line: string): unknown => lines.push(line);
    configureLogging({ application: 'test', levels: {}, write });
    await query(cached(), DOWN, 'a');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        level: 'warn',
        time: expect.any(String),
        application: 'test',
        pid: process.pid,
        logger: 'environment',
        backend: 'fake',
        serving: 'nothing',
        causes: [{ message: 'x' }, { code: 'X_DOWN', message: 'y' }],
        msg: 'a backend is unavailable',
      },
    ]);
  });

  test('log once that a single query is refused', async () => {
    const backend = cached();
    for (let round = 0; round < 3; round += 1) {
      now += MAX_AGE_MS;
      await query(backend, FOUND, 'allowed');
      await query(backend, unavailableFor('X_NO'), 'refused');
    }
    expect(lines).toEqual([unavailable('X_NO')]);
    await query(backend, FOUND, 'refused');
    expect(lines[1]).toBe(availableAgain('X_NO'));
    await query(backend, unavailableFor('X_NO'), 'refused again');
    expect(lines[2]).toBe(unavailable('X_NO'));
  });

  test('log an outage while a single query is refused', async () => {
    const backend = cached();
    const next = (nextAnswer: BackendEnvironment | Error, application: string) => {
      now += MAX_AGE_MS;
      return query(backend, nextAnswer, application);
    };
    await next(unavailableFor('X_NO'), 'refused');
    await next(DOWN, 'allowed');
    await next(DOWN, 'refused');
    await next(FOUND, 'allowed');
    await next(unavailableFor('X_NO'), 'refused');
    expect(lines).toEqual([unavailable('X_NO'), unavailable('X_DOWN'), availableAgain('X_DOWN')]);
  });

  test('log the end of an outage, however many queries failed', async () => {
    const backend = cached('fail', 1_000_000);
    for (const round of [1, 2]) {
      for (let index = 0; index < 1_100; index += 1) {
        await query(backend, UNAVAILABLE, `a${index}`);
      }
      now += MAX_AGE_MS;
      answer = FOUND;
      await backend.find({ ...QUERY, applications: ['a0'] });
      now += MAX_AGE_MS;
      expect(lines).toHaveLength(2 * round);
    }
    expect(lines.slice(2)).toEqual([unavailable(), availableAgain()]);
  });

  test('log nothing after the backend is closed', async () => {
    const backend = cached();
    await backend.close();
    answer = UNAVAILABLE;
    await expect(backend.find(QUERY)).rejects.toBe(UNAVAILABLE);
    expect(lines).toEqual([]);
  });
});

// A webhook that refreshes the backends gets 503 without a reason, so the log must have it.
describe('a refresh', () => {
  beforeEach(() => {
    answer = DOWN;
  });

  test('that fails is logged with the reason, once together with failing queries', async () => {
    const backend = cached();
    await expect(backend.refresh?.()).rejects.toBe(DOWN);
    await expect(backend.refresh?.()).rejects.toBe(DOWN);
    await expect(backend.find(QUERY)).rejects.toBe(DOWN);
    expect(lines).toEqual([unavailable('X_DOWN')]);
  });

  test.each(['find', 'refresh'] as const)(
    'that failed is logged as over after the next %s',
    async (next) => {
      const backend = cached();
      await expect(backend.refresh?.()).rejects.toBe(DOWN);
      answer = FOUND;
      await (next === 'find' ? backend.find(QUERY) : backend.refresh?.());
      expect(lines).toEqual([unavailable('X_DOWN'), availableAgain('X_DOWN')]);
      answer = DOWN;
      await expect(backend.refresh?.()).rejects.toBe(DOWN);
      expect(lines).toEqual([
        unavailable('X_DOWN'),
        availableAgain('X_DOWN'),
        unavailable('X_DOWN'),
      ]);
    },
  );

  test('logs no other errors, nothing of a closed backend, and nothing if last answers are served', async () => {
    answer = new Error('an unexpected error');
    await expect(cached().refresh?.()).rejects.toBe(answer);
    answer = DOWN;
    await expect(cached('last-known-good').refresh?.()).rejects.toBe(DOWN);
    const closed = cached();
    await closed.close();
    await expect(closed.refresh?.()).rejects.toBe(DOWN);
    expect(lines).toEqual([]);
  });
});
