import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { configureLogging } from '@tessera/logging';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import {
  AuthenticationThrottle,
  MAX_WAITING,
  type ThrottlePolicy,
} from './authentication-throttle.js';
import { PostgresFailureStore } from './postgres-failure-store.js';
import { ThrottledError } from './throttled-error.js';

const POLICY: ThrottlePolicy = { threshold: 3, addressThreshold: 5, window: 60_000 };
const ALICE = { address: '192.0.2.7', name: 'alice' };
const BOB = { ...ALICE, name: 'bob' };
const ELSEWHERE = { ...ALICE, address: '192.0.2.8' };

let database: TestDatabase;
let lines: string[];

/** Counts the calls of the real store, one statement each. */
class CountedStore extends PostgresFailureStore {
  calls = 0;

  override reserve(...call: Parameters<PostgresFailureStore['reserve']>) {
    this.calls += 1;
    return super.reserve(...call);
  }

  override settle(...call: Parameters<PostgresFailureStore['settle']>) {
    this.calls += 1;
    return super.settle(...call);
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

/** A process, and the shared database. */
function node(policy: Partial<ThrottlePolicy> | 'off' = {}, entryPoint = 'rest') {
  const store = new CountedStore(poolOf(database.dataSource));
  const throttle = new AuthenticationThrottle(
    store,
    entryPoint,
    policy === 'off' ? undefined : { ...POLICY, ...policy },
  );
  const state = { attempts: 0 };
  const check = (subject: typeof ALICE, isAccepted: () => Promise<boolean>): Promise<boolean> =>
    throttle.guard(subject, isAccepted, (outcome) => !outcome);
  const attempt = (subject = ALICE, outcome: boolean | Error = false): Promise<boolean> =>
    check(subject, () => {
      state.attempts += 1;
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    });
  const fail = async (times: number, subject = ALICE): Promise<void> => {
    for (let turn = 0; turn < times; turn += 1) expect(await attempt(subject)).toBe(false);
  };
  return { attempt, check, fail, state, store };
}

const throttled = (retryAfter: number) => ({ code: 'AUTHENTICATION_THROTTLED', retryAfter });
const age = (milliseconds: number) =>
  database.dataSource.query(
    `update authentication_failure set expires_at = expires_at - $1 * interval '1 millisecond'`,
    [milliseconds],
  );
async function sumOf(column: 'failures' | 'reserved' | '1'): Promise<number> {
  const [row] = await database.dataSource.query<readonly { sum: number }[]>(
    `select coalesce(sum(${column}), 0)::int as sum from authentication_failure`,
  );
  return row?.sum ?? -1;
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
});

describe('what does not count', () => {
  const undecided = new Error('the directory is unavailable');

  test.each([
    ['a success', true],
    ['an attempt that could not decide', undecided],
  ])('%s', async (_, outcome) => {
    const { attempt, state, store } = node();
    for (let turn = 0; turn < 10; turn += 1) {
      const end = await attempt(ALICE, outcome).catch((error: unknown) => error);
      expect(end).toBe(outcome);
    }
    expect(state.attempts).toBe(10);
    expect(store.calls).toBe(20);
    expect([await sumOf('failures'), await sumOf('reserved')]).toEqual([0, 0]);
  });

  test('a success between failures resets nothing', async () => {
    const { attempt, fail } = node();
    await fail(2);
    await attempt(ALICE, true);
    await fail(1);
    await expect(attempt()).rejects.toBeInstanceOf(ThrottledError);
  });

  test('failures at another entry point', async () => {
    await node({}, 'login').fail(3);
    expect(await node().attempt(ALICE, true)).toBe(true);
  });

  test('failures while there is no policy, which need no statement', async () => {
    const { fail, store } = node('off');
    await fail(9);
    expect(store.calls).toBe(0);
    expect(await node().attempt(ALICE, true)).toBe(true);
  });
});

describe('when the database is unavailable', () => {
  const away = Object.assign(new Error('away'), { code: 'DATABASE_UNAVAILABLE' });

  test('nothing is attempted, and attempts that wait share the error of one statement', async () => {
    const { attempt, state, store } = node();
    let calls = 0;
    store.reserve = () => {
      calls += 1;
      return Promise.reject(away);
    };
    const attempts = Array.from({ length: 20 }, () => attempt(ALICE, true));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes).toEqual(attempts.map(() => ({ status: 'rejected', reason: away })));
    await expect(attempt(ALICE, true)).rejects.toBe(away);
    expect([calls, state.attempts]).toEqual([2, 0]);
  });

  test('an outcome that cannot be counted is not reported, and the reservation stays', async () => {
    const { attempt, store } = node();
    store.settle = () => Promise.reject(away);
    await expect(attempt()).rejects.toBe(away);
    expect(await sumOf('reserved')).toBe(2);
  });
});

describe('attempts at once', () => {
  test('at several processes fail as often as the threshold says, and not once more', async () => {
    const nodes = [node(), node(), node()];
    const rounds = Array.from({ length: 100 }, () => nodes.map(({ attempt }) => attempt()));
    const outcomes = await Promise.allSettled(rounds.flat());
    expect(nodes.reduce((sum, { state }) => sum + state.attempts, 0)).toBe(POLICY.threshold);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(POLICY.threshold);
    expect(await sumOf('reserved')).toBe(0);
  });

  test('leave no more of them undecided than may still fail, whatever their outcomes', async () => {
    const nodes = [node(), node(), node()];
    const possibleFailures = { alice: 0, bob: 0 };
    const seen: (typeof possibleFailures)[] = [];
    const attempts = Array.from({ length: 90 }, (_, turn) => {
      const name = turn % 2 === 0 ? 'alice' : 'bob';
      return nodes[turn % 3]!.check({ ...ALICE, name }, async () => {
        possibleFailures[name] += 1;
        seen.push({ ...possibleFailures });
        await sumOf('failures');
        const isAccepted = turn % 15 !== 0;
        if (isAccepted) possibleFailures[name] -= 1;
        return isAccepted;
      });
    });
    await Promise.allSettled(attempts);
    expect(Math.max(...seen.map(({ alice }) => alice))).toBeLessThanOrEqual(POLICY.threshold);
    expect(Math.max(...seen.map(({ bob }) => bob))).toBeLessThanOrEqual(POLICY.threshold);
    const all = Math.max(...seen.map(({ alice, bob }) => alice + bob));
    expect(all).toBeLessThanOrEqual(POLICY.addressThreshold);
    expect(await sumOf('reserved')).toBe(0);
  });

  test('that succeed all get their turn', async () => {
    const { attempt } = node();
    const attempts = Array.from({ length: 100 }, () => attempt(ALICE, true));
    expect(await Promise.all(attempts)).toEqual(Array(100).fill(true));
  });

  test('are refused beyond those that may wait', async () => {
    const { attempt } = node();
    const attempts = Array.from({ length: MAX_WAITING + 10 }, () => attempt(ALICE, true));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_WAITING);
    expect(outcomes.at(-1)).toMatchObject({ reason: throttled(1) });
  });
});

test('an attack with many names stores nothing once the address is blocked', async () => {
  const { attempt, state } = node();
  for (let turn = 0; turn < 100; turn += 1) {
    await attempt({ ...ALICE, name: `user${turn}` }).catch(() => undefined);
  }
  expect(state.attempts).toBe(5);
  expect(await sumOf('1')).toBe(6);
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
        entryPoint: 'rest',
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
