// The circuit breaker. A view takes the place of PostgreSQL's own, which shows stalled commits only with a standby: see
// test/deploy/synchronous-standby.deploy-spec.ts.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createEmptyDatabase, useProductionTimeouts } from '../../../test/support/database.js';
import { query } from '../../../test/support/query.js';
import { DatabaseProxy } from '../../../test/support/tcp-proxy.js';
import { until } from '../../../test/support/until.js';
import { connect, poolOf } from './connection.js';
import { DurableStatements } from './durable-statements.js';

useProductionTimeouts();

const REFUSED = {
  code: 'DATABASE_UNAVAILABLE',
  message: 'The database is not available: a standby does not confirm commits.',
};

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let proxy: DatabaseProxy;
let dataSource: DataSource;
let durable: DurableStatements;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await query(
    database.url,
    `create schema shadow;
     create table shadow.stalled_commit (age interval);
     create view shadow.pg_stat_activity as
       select current_database() as datname, 'SyncRep' as wait_event, now() - age as query_start from shadow.stalled_commit`,
  );
  proxy = new DatabaseProxy(database.url);
  await proxy.set('open');
  const url = `${proxy.url}&options=-c%20search_path%3Dshadow%2Cpg_catalog`;
  dataSource = await connect({ url, applicationName: 'spec', poolSize: 2 });
  durable = new DurableStatements(dataSource);
});
afterAll(async () => {
  await durable.close();
  await dataSource.destroy();
  await proxy.close();
  await database.drop();
});
beforeEach(() => setStalled());

/** @param ages of the commits that wait, as intervals of PostgreSQL */
async function setStalled(...ages: readonly string[]): Promise<void> {
  await query(database.url, 'delete from shadow.stalled_commit');
  for (const age of ages) {
    await query(database.url, `insert into shadow.stalled_commit values ('${age}')`);
  }
}
const works = () => durable.query('select 1 as one');
const overdue = () => durable.query('select pg_sleep(10)');
const untilItWorks = () => until('statements work', () => works().catch(() => undefined));

test('a statement has its rows, on a connection besides those of the data source', async () => {
  const { rows } = await durable.query('select $1::integer as given', [7]);
  expect(rows).toEqual([{ given: 7 }]);
  expect(poolOf(dataSource).totalCount).toBe(1);
});

test('after an overdue statement beside a stalled commit, statements fail at once until there is none', async () => {
  await setStalled('2 s');
  await expect(overdue()).rejects.toThrow('Connection terminated');
  await expect(works()).rejects.toMatchObject(REFUSED);
  await setStalled();
  await untilItWorks();
});

test('statements that waited for a connection fail, too', async () => {
  await setStalled('2 s');
  const running = Array.from({ length: 4 }, () => overdue());
  const waiting = until('the connections are in use', () => durable['opened']?.waitingCount === 0);
  await waiting;
  const outcomes = await Promise.allSettled([...running, works()]);
  expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  await setStalled();
  await untilItWorks();
});

test.each([
  ['no commit waits', []],
  ['commits wait as long as healthy ones', ['100 ms']],
])('an overdue statement changes nothing where %s', async (_rule, ages) => {
  await setStalled(...ages);
  await expect(overdue()).rejects.toThrow('Connection terminated');
  expect((await works()).rows).toEqual([{ one: 1 }]);
});

test('an error of a statement changes nothing, and is the caller’s', async () => {
  await setStalled('2 s');
  await expect(durable.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
  expect((await works()).rows).toEqual([{ one: 1 }]);
});

test('a database that is away is no stalled commit', async () => {
  await setStalled('2 s');
  await proxy.set('refuse');
  await expect(works()).rejects.not.toMatchObject(REFUSED);
  await setStalled();
  await proxy.set('open');
  await untilItWorks();
});

// Origin: at the end of a process, PostgreSQL may end a connection that is still being closed.
test('a connection that is lost after the end of the data source is no error', async () => {
  const ended = await connect({ url: database.url, applicationName: 'spec' });
  const late = new DurableStatements(ended);
  const { rows } = await late.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
  await ended.destroy();
  await query(database.url, `select pg_terminate_backend(${rows[0]?.pid})`);
  await until('the connection is gone', () => late['opened']?.totalCount === 0);
  await late.close();
});
