// What callers of a pool see while PostgreSQL refuses its login, and what PostgreSQL sees of them.
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { isUnavailable } from '@tessera/runtime';
import { createEmptyDatabase } from '../../../test/support/database.js';
import { query } from '../../../test/support/query.js';
import { DatabaseRole } from '../../../test/support/database-role.js';
import { until } from '../../../test/support/until.js';
import { connect, loginPoolOf, poolOf } from './connection.js';
import { DatabaseLogin } from './login.js';

const POOL_SIZE = 3;
const NEEDS = { right: 'own', tables: [] } as const;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let role: DatabaseRole;
let dataSource: DataSource;
let asked: number[];

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  role = await DatabaseRole.create(database.url);
  const options = { applicationName: 'spec', poolSize: POOL_SIZE, migrations: [] };
  dataSource = await connect({ ...options, url: role.url() });
  asked = [];
});
afterEach(async () => {
  await dataSource.destroy();
  await role.drop();
});

/** Takes away the sessions that were let in, and what they were let in by. */
async function lockOut(): Promise<void> {
  await role.changePassword();
  await role.endIdleSessions();
  await until('the pool knows', () => poolOf(dataSource).totalCount === 0);
}

const renewBy = (renewal: () => Promise<void> = () => Promise.resolve()): Promise<void> =>
  new DatabaseLogin(role.url(), NEEDS, () => {
    asked.push(performance.now());
    return renewal();
  }).attach(dataSource);

const statement = () => poolOf(dataSource).query('select pg_sleep(0.01)');
const outcome = (): Promise<unknown> =>
  statement().then(
    () => 'done',
    (error: unknown) => error,
  );
const many = (count: number): Promise<unknown[]> =>
  Promise.all(Array.from({ length: count }, outcome));

test('callers fail at once where nobody gives another', async () => {
  await lockOut();
  expect(await outcome()).toMatchObject({ code: '28P01' });
});

test('callers wait for another, which is asked for once', async () => {
  await renewBy(() => Promise.resolve(loginPoolOf(dataSource).useLogin(role.url())));
  await lockOut();
  expect(new Set(await many(20))).toEqual(new Set(['done']));
  expect(asked).toHaveLength(1);
});

test('callers take turns on the sessions there are', async () => {
  await renewBy();
  await role.changePassword();
  expect(new Set(await many(10))).toEqual(new Set(['done']));
  expect(poolOf(dataSource).totalCount).toBe(1);
});

test('callers fail within 2 s with the error of an unavailable database, without words of PostgreSQL', async () => {
  await renewBy(() => Promise.reject(new Error('nobody knows one')));
  await lockOut();
  const began = performance.now();
  const error = (await outcome()) as Error;
  expect(performance.now() - began).toBeLessThan(2_000);
  expect(isUnavailable(error)).toBe(true);
  expect((error.cause as Error).message).toBe(
    'The database refuses user or password (SQLSTATE 28P01).',
  );
});

test('one attempt at a time tries PostgreSQL, however many wait', async () => {
  await renewBy();
  await lockOut();
  const attempts = jest.spyOn(pg.Client.prototype, 'connect');
  const errors = await many(120);
  expect(errors.every(isUnavailable)).toBe(true);
  expect(attempts.mock.calls.length).toBeLessThan(POOL_SIZE + 900 / 50 + 2);
  attempts.mockRestore();
});

test('a session that is let in again serves all who wait, and nobody is asked any more', async () => {
  await renewBy();
  const { password, name } = role;
  await lockOut();
  const waiting = many(20);
  await until('it is refused', () => asked.length > 0);
  await query(database.url, `alter role ${name} password '${password}'`);
  expect(new Set(await waiting)).toEqual(new Set(['done']));
});

test('another login is asked for after pauses that grow, and at once after the next change', async () => {
  await renewBy();
  await lockOut();
  await many(1);
  await many(1);
  await many(1);
  const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
  expect(pauses.length).toBeLessThanOrEqual(3);
  expect(pauses[1]).toBeGreaterThan(2 * 300 - 1);
  const before = asked.length;
  loginPoolOf(dataSource).useLogin(role.url());
  expect(await many(3)).toEqual(['done', 'done', 'done']);
  await lockOut();
  await many(1);
  expect(asked.length).toBeGreaterThan(before + 1);
});
