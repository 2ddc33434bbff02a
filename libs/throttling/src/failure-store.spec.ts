import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import { poolOf } from '@tessera/database';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { FailureStore } from './failure-store.js';

const WINDOW = 60_000;
const A = sha256('address');
const N = sha256('name');

let database: TestDatabase;
let store: FailureStore;

beforeAll(async () => {
  database = await createTestDatabase();
  store = new FailureStore(poolOf(database.dataSource));
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('truncate authentication_failure'));

const add = (threshold = 3, addressThreshold = 100) =>
  store.add({ key: A, threshold: addressThreshold }, { key: N, threshold }, WINDOW);
/** As if so much time had passed. */
const age = (milliseconds: number) =>
  database.dataSource.query(
    `update authentication_failure set expires_at = expires_at - $1 * interval '1 millisecond'`,
    [milliseconds],
  );

describe('counting', () => {
  test('knows nothing of a key that never failed', async () => {
    await add();
    const none = { failures: 0, remaining: 0 };
    expect(await store.find(sha256('x'), sha256('y'))).toEqual([none, none]);
  });

  test('counts both keys, each for itself', async () => {
    await add();
    await store.add({ key: A, threshold: 9 }, { key: sha256('other'), threshold: 9 }, WINDOW);
    expect((await store.find(A, N)).map(({ failures }) => failures)).toEqual([2, 1]);
    expect((await store.find(N, A)).map(({ failures }) => failures)).toEqual([1, 2]);
  });

  test('opens a window with the first failure, which later ones do not stretch', async () => {
    await add();
    await age(20_000);
    const [, { failures, remaining }] = await add();
    expect(failures).toBe(2);
    expect(remaining).toBeLessThanOrEqual(WINDOW - 20_000);
    expect(remaining).toBeGreaterThan(WINDOW - 30_000);
  });

  test('begins the window anew with the failure that reaches the threshold, and with no later one', async () => {
    await add();
    await add();
    await age(20_000);
    const [ofAddress, ofName] = await add();
    expect(ofAddress.remaining).toBeLessThanOrEqual(WINDOW - 20_000);
    expect(ofName).toEqual({ failures: 3, remaining: WINDOW });
    await age(20_000);
    const [, late] = await add();
    expect(late.failures).toBe(4);
    expect(late.remaining).toBeLessThanOrEqual(WINDOW - 20_000);
  });

  test('begins at one again when the window has ended', async () => {
    await add();
    await add();
    await age(WINDOW);
    expect((await store.find(A, N)).map(({ failures }) => failures)).toEqual([0, 0]);
    expect(await add()).toEqual([
      { failures: 1, remaining: WINDOW },
      { failures: 1, remaining: WINDOW },
    ]);
  });

  test('loses no failure of many at once', async () => {
    const names = Array.from({ length: 200 }, (_, index) => sha256(`name ${index % 5}`));
    await Promise.all(
      names.map((key) => store.add({ key: A, threshold: 9 }, { key, threshold: 9 }, WINDOW)),
    );
    expect((await store.find(A, names[0]!)).map(({ failures }) => failures)).toEqual([200, 40]);
  });
});

describe('removing', () => {
  test('takes what has ended, so many at a time, and nothing else', async () => {
    await add();
    await age(WINDOW);
    await store.add({ key: sha256('x'), threshold: 9 }, { key: sha256('y'), threshold: 9 }, WINDOW);
    expect(await store.removeExpired(1)).toBe(1);
    expect(await store.removeExpired(100)).toBe(1);
    expect(await store.removeExpired(100)).toBe(0);
    expect(await rows()).toBe(2);
  });

  test('passes by what another node removes or counts at the moment', async () => {
    await add();
    await age(WINDOW);
    const session = database.dataSource.createQueryRunner();
    await session.startTransaction();
    await session.query('select from authentication_failure for update');
    expect(await store.removeExpired(100)).toBe(0);
    await session.rollbackTransaction();
    await session.release();
    expect(await store.removeExpired(100)).toBe(2);
  });

  test('finds what has ended by its index', async () => {
    const plan: unknown = await database.dataSource.query(
      `explain select key from authentication_failure
       where expires_at <= now() and expires_at < 'infinity' order by expires_at limit 1000`,
    );
    expect(JSON.stringify(plan)).toContain('authentication_failure_expires_at');
  });
});

test('keeps no name and no address', async () => {
  const columns: unknown = await database.dataSource.query(
    `select column_name from information_schema.columns
     where table_name = 'authentication_failure' order by ordinal_position`,
  );
  expect(columns).toEqual(['key', 'failures', 'expires_at'].map((name) => ({ column_name: name })));
});

async function rows(): Promise<number> {
  const [row] = await database.dataSource.query<readonly { count: number }[]>(
    'select count(*)::int as count from authentication_failure',
  );
  return row?.count ?? -1;
}
