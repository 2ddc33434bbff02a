import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import { poolOf } from '@tessera/database';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { PostgresFailureStore } from './postgres-failure-store.js';
import { conformsToFailureStore } from './failure-store.conformance.js';
import type { Limits } from './failure-store.js';

const WINDOW = 60_000;
const limitsOf = (address: string, name: string): Limits => [
  { key: sha256(address), threshold: 9 },
  { key: sha256(name), threshold: 9 },
];

let database: TestDatabase;
let store: PostgresFailureStore;

beforeAll(async () => {
  database = await createTestDatabase();
  store = new PostgresFailureStore(poolOf(database.dataSource));
});
afterAll(() => database.drop());
beforeEach(() => database.dataSource.query('truncate authentication_failure'));

const reserve = (address = 'address', name = 'name') =>
  store.reserve(limitsOf(address, name), WINDOW);
/** Simulates that so much time has passed. */
const age = (milliseconds: number) =>
  database.dataSource.query(
    `update authentication_failure set expires_at = expires_at - $1 * interval '1 millisecond'`,
    [milliseconds],
  );

conformsToFailureStore(() => store, age);

/** Runs `work` while another session holds the locks of all rows. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const session = database.dataSource.createQueryRunner();
  await session.startTransaction();
  await session.query('select from authentication_failure for update');
  try {
    return await work();
  } finally {
    await session.rollbackTransaction();
    await session.release();
  }
}

test('a refusal neither writes nor waits for the lock of a row', async () => {
  for (let turn = 0; turn < 9; turn += 1) await reserve();
  expect(await whileLocked(() => reserve())).toEqual({ isReserved: false, blockedFor: 0 });
});

describe('removing', () => {
  test('takes what has ended, so many at a time, and nothing else', async () => {
    await reserve();
    await age(WINDOW);
    await reserve('x', 'y');
    expect(await store.removeExpired(1)).toBe(1);
    expect(await store.removeExpired(100)).toBe(1);
    expect(await store.removeExpired(100)).toBe(0);
    expect(await rows()).toBe(2);
  });

  test('passes by what another node removes or counts at the moment', async () => {
    await reserve();
    await age(WINDOW);
    expect(await whileLocked(() => store.removeExpired(100))).toBe(0);
    expect(await store.removeExpired(100)).toBe(2);
  });
});

test('keeps no name and no address', async () => {
  const columns: unknown = await database.dataSource.query(
    `select column_name from information_schema.columns
     where table_name = 'authentication_failure' order by ordinal_position`,
  );
  expect(columns).toEqual(
    ['key', 'failures', 'expires_at', 'reserved', 'opened_at'].map((name) => ({
      column_name: name,
    })),
  );
});

async function rows(): Promise<number> {
  const [row] = await database.dataSource.query<readonly { count: number }[]>(
    'select count(*)::int as count from authentication_failure',
  );
  return row?.count ?? -1;
}
