import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Cleaner, poolOf } from '@tessera/database';
import { configureLogging, loggerFor } from '@tessera/logging';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { usedHeap } from '../../../test/support/heap.js';
import { until } from '../../../test/support/until.js';
import { AuthenticationThrottle, type ThrottlePolicy } from './authentication-throttle.js';
import { PostgresFailureStore } from './postgres-failure-store.js';
import { ThrottledError } from './throttled-error.js';

const POLICY: ThrottlePolicy = { threshold: 3, addressThreshold: 5, window: 60_000 };
const ALICE = { address: '192.0.2.7', name: 'alice' };
const BOB = { ...ALICE, name: 'bob' };
const ELSEWHERE = { ...ALICE, address: '192.0.2.8' };

let database: TestDatabase;
let lines: string[];

/** Counts the statements of the real store. */
class CountedStore extends PostgresFailureStore {
  reads = 0;
  writes = 0;

  override find(...keys: Parameters<PostgresFailureStore['find']>) {
    this.reads += 1;
    return super.find(...keys);
  }

  override add(...counted: Parameters<PostgresFailureStore['add']>) {
    this.writes += 1;
    return super.add(...counted);
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.dataSource.query('truncate authentication_failure');
  lines = [];
  const write = (line: string): void => void lines.push(line);
  configureLogging({ application: 'test', levels: { root: 'info' }, pretty: false, write });
});

/** A node: its own caches, and the shared database. */
function node(policy: Partial<ThrottlePolicy> = {}, entryPoint = 'rest') {
  const store = new CountedStore(poolOf(database.dataSource));
  const throttle = new AuthenticationThrottle(store, entryPoint, () => ({ ...POLICY, ...policy }));
  const state = { attempts: 0 };
  const attempt = (subject = ALICE, outcome: boolean | Error = false): Promise<boolean> =>
    throttle.guard(
      subject,
      () => {
        state.attempts += 1;
        return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
      },
      (isAccepted) => !isAccepted,
    );
  const fail = async (times: number, subject = ALICE): Promise<void> => {
    for (let turn = 0; turn < times; turn += 1) expect(await attempt(subject)).toBe(false);
  };
  return { attempt, fail, state, store };
}

const throttled = (retryAfter: number) => ({ code: 'AUTHENTICATION_THROTTLED', retryAfter });
const age = (milliseconds: number) =>
  database.dataSource.query(
    `update authentication_failure set expires_at = expires_at - $1 * interval '1 millisecond'`,
    [milliseconds],
  );
async function rows(): Promise<number> {
  const [row] = await database.dataSource.query<readonly { count: number }[]>(
    'select count(*)::int as count from authentication_failure',
  );
  return row?.count ?? -1;
}

describe('a user name at an address', () => {
  test('is blocked by the failure that reaches the threshold, for one window from then on', async () => {
    const { attempt, fail, state } = node();
    await fail(2);
    await age(20_000);
    await fail(1);
    await expect(attempt()).rejects.toMatchObject(throttled(60));
    await expect(attempt(ALICE, true)).rejects.toMatchObject(throttled(60));
    expect(state.attempts).toBe(3);
  });

  test('is not blocked at another address, nor is another name at this one', async () => {
    const { attempt, fail } = node();
    await fail(3);
    expect(await attempt(ELSEWHERE, true)).toBe(true);
    expect(await attempt(BOB, true)).toBe(true);
  });

  test('may be tried again when the window has ended, and counts from nothing then', async () => {
    await node().fail(3);
    await age(59_000);
    await expect(node().attempt()).rejects.toMatchObject(throttled(1));
    await age(1_000);
    await node().fail(3);
    await expect(node().attempt()).rejects.toMatchObject(throttled(60));
  });

  test('is not blocked by failures of a window that has ended', async () => {
    await node().fail(2);
    await age(60_000);
    await node().fail(2);
    expect(await node().attempt(ALICE, true)).toBe(true);
  });
});

describe('an address', () => {
  test('is blocked by failures of any names together', async () => {
    const { attempt, fail } = node();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await fail(1, { ...ALICE, name });
    await expect(attempt(BOB, true)).rejects.toMatchObject(throttled(60));
    expect(await attempt(ELSEWHERE, true)).toBe(true);
  });

  test('is its /64 in IPv6', async () => {
    const { attempt, fail } = node();
    const addresses = [1, 2, 3, 4, 5].map((host) => `2001:db8::${host}`);
    for (const address of addresses) await fail(1, { address, name: address });
    const next = { address: '2001:db8::6', name: 'bob' };
    await expect(attempt(next, true)).rejects.toBeInstanceOf(ThrottledError);
    expect(await attempt({ ...next, address: '2001:db8:0:1::6' }, true)).toBe(true);
  });

  test('that is blocked longer than the name says how long it is', async () => {
    const { attempt, fail } = node();
    await fail(3);
    await age(30_000);
    await fail(2, BOB);
    await expect(node().attempt()).rejects.toMatchObject(throttled(60));
    await expect(attempt()).rejects.toBeInstanceOf(ThrottledError);
  });
});

describe('what does not count', () => {
  test('a success never counts', async () => {
    const { attempt, store } = node();
    for (let turn = 0; turn < 20; turn += 1) expect(await attempt(ALICE, true)).toBe(true);
    expect(store).toMatchObject({ reads: 20, writes: 0 });
    expect(await rows()).toBe(0);
  });

  test('a success between failures resets nothing', async () => {
    const { attempt, fail } = node();
    await fail(2);
    await attempt(ALICE, true);
    await fail(1);
    await expect(attempt()).rejects.toBeInstanceOf(ThrottledError);
  });

  test('an attempt that could not decide counts nothing', async () => {
    const { attempt, state } = node();
    const undecided = new Error('the directory is unavailable');
    for (let turn = 0; turn < 10; turn += 1) {
      await expect(attempt(ALICE, undecided)).rejects.toBe(undecided);
    }
    expect(state.attempts).toBe(10);
    expect(await rows()).toBe(0);
  });

  test('failures at another entry point', async () => {
    await node({}, 'login').fail(3);
    expect(await node().attempt(ALICE, true)).toBe(true);
  });
});

describe('when the database is unavailable', () => {
  const away = Object.assign(new Error('away'), { code: 'DATABASE_UNAVAILABLE' });

  test('nothing is attempted', async () => {
    const { attempt, state, store } = node();
    store.find = () => Promise.reject(away);
    await expect(attempt(ALICE, true)).rejects.toBe(away);
    expect(state.attempts).toBe(0);
  });

  test('a failure that cannot be counted is not reported', async () => {
    const { attempt, store } = node();
    store.add = () => Promise.reject(away);
    await expect(attempt()).rejects.toBe(away);
  });
});

describe('attempts at once', () => {
  test('a thousand in one process fail as often as the threshold says, and not once more', async () => {
    const { attempt, state, store } = node({ threshold: 10, addressThreshold: 10 });
    const outcomes = await Promise.allSettled(Array.from({ length: 1_000 }, () => attempt()));
    expect(state.attempts).toBe(10);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    // Each failure allows at most as many reads as attempts may still fail; a blocked key causes none.
    expect(store.reads).toBeLessThanOrEqual(10 * 10);
  });

  test('of several processes fail no more often than each of them allows', async () => {
    const nodes = [node(), node(), node()];
    const rounds = Array.from({ length: 100 }, () => nodes.map(({ attempt }) => attempt()));
    await Promise.allSettled(rounds.flat());
    const [first, ...others] = nodes.map(({ state }) => state.attempts);
    expect(Math.max(first ?? 0, ...others)).toBeLessThanOrEqual(3);
    await expect(node().attempt()).rejects.toBeInstanceOf(ThrottledError);
  });

  test('that succeed all get their turn', async () => {
    const { attempt } = node();
    const attempts = Array.from({ length: 100 }, () => attempt(ALICE, true));
    expect(await Promise.all(attempts)).toEqual(Array(100).fill(true));
  });
});

describe('an attack', () => {
  test('of 10,000 names from one address stores nothing once the address is blocked, reads next to nothing and takes no memory', async () => {
    const { attempt, state, store } = node();
    const attack = async (names: number): Promise<void> => {
      for (let turn = 0; turn < names; turn += 1) {
        await attempt({ ...ALICE, name: `user${names}-${turn}` }).catch(() => undefined);
      }
    };
    await attack(1_000);
    const before = usedHeap();
    await attack(10_000);
    // A leak of one name for each attempt would be more.
    expect(usedHeap() - before).toBeLessThan(0.5);
    expect(state.attempts).toBe(5);
    expect(store.writes).toBe(5);
    expect(store.reads).toBeLessThan(10);
    expect(await rows()).toBe(6);
  });

  test('of 3,000 names at an address with a high threshold leaves no rows after the window', async () => {
    const window = 1_000;
    const { attempt, store } = node({ addressThreshold: 100_000, window });
    const removeBatch = () => store.removeExpired(1_000);
    const log = loggerFor('throttling');
    const cleaner = new Cleaner({ removeBatch, interval: 200, rows: 'counts', log });
    cleaner.start();
    let name = 0;
    const work = async (): Promise<void> => {
      while (name < 3_000) await attempt({ ...ALICE, name: `user${(name += 1)}` });
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(await rows()).toBeGreaterThan(0);
    await until('the table is empty', async () => (await rows()) === 0);
    await cleaner.stop();
  });
});

describe('the log', () => {
  const logged = () => lines.map((line) => JSON.parse(line) as object);

  test('has one line for an address that becomes blocked', async () => {
    const { attempt, fail } = node({ addressThreshold: 3 });
    await fail(3);
    await attempt().catch(() => undefined);
    expect(logged()).toEqual([
      expect.objectContaining({
        level: 'warn',
        logger: 'throttling',
        entrance: 'rest',
        clientAddress: '192.0.2.7',
        msg: 'too many failed logins: the address is blocked',
      }),
    ]);
  });

  test('has one line for a name that becomes blocked at an address', async () => {
    const { attempt, fail } = node();
    await fail(3);
    await attempt().catch(() => undefined);
    expect(logged()).toEqual([
      expect.objectContaining({
        username: 'alice',
        msg: 'too many failed logins: the user name is blocked at this address',
      }),
    ]);
  });
});
