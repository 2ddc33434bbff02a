import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { configureLogging } from '@tessera/logging';
import { isUnavailable } from '@tessera/runtime';
import { createEmptyDatabase, useProductionTimeouts } from '../../../test/support/database.js';
import { query } from '../../../test/support/query.js';
import { DatabaseProxy } from '../../../test/support/tcp-proxy.js';
import { until } from '../../../test/support/until.js';
import { connect, poolOf } from './connection.js';
import { PreparedStatement } from './prepared-statement.js';

useProductionTimeouts();

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let proxy: DatabaseProxy;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createEmptyDatabase();
});

afterAll(() => database.drop());

beforeEach(async () => {
  proxy = new DatabaseProxy(database.url);
  await proxy.set('open');
  dataSource = await connect({ url: proxy.url, applicationName: 'spec', poolSize: 4 });
});

afterEach(async () => {
  await dataSource.destroy();
  await proxy.close();
});

/** How a statement failed. */
async function failure(work: () => Promise<unknown>): Promise<{ error: unknown }> {
  const error = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error };
}

/** The messages of an error and of its causes, as a log has them. */
function loggedText(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${loggedText(error.cause)}` : '';
}

async function untilItWorks(): Promise<void> {
  for (;;) {
    const { error } = await failure(() => poolOf(dataSource).query('select 1'));
    if (error === undefined) return;
    await sleep(20);
  }
}

describe('a session of the pool', () => {
  test.each([
    ['TimeZone', 'UTC'],
    ['application_name', 'spec'],
    ['statement_timeout', '1500ms'],
    ['idle_in_transaction_session_timeout', '10s'],
  ])('has %s = %s', async (name, value) => {
    const { rows } = await poolOf(dataSource).query('select current_setting($1) as value', [name]);
    expect(rows).toEqual([{ value }]);
  });
});

const PREPARED = new PreparedStatement('spec', 'select 1');
/** One for each connection of the pool. */
const STATEMENTS: readonly (() => Promise<unknown>)[] = [
  () => poolOf(dataSource).query('select 1'),
  () => PREPARED.execute(poolOf(dataSource), []),
  () => dataSource.query('select 1'),
  () => dataSource.transaction((manager) => manager.query('select 1')),
];

/** Runs all at once and expects each to fail as unavailable. */
async function expectUnavailable(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures = await Promise.all(works.map(failure));
  const unavailable = failures.map(({ error }) => isUnavailable(error));
  expect(unavailable).toEqual(works.map(() => true));
}

test('the pool keeps idle sessions', () => {
  expect(poolOf(dataSource).options).toMatchObject({ idleTimeoutMillis: 0 });
});

describe('while the database is unavailable', () => {
  test.each(['hang', 'refuse'] as const)(
    'every kind of statement fails within 2 s, and works again afterwards (the network: %s)',
    async (state) => {
      await Promise.all(STATEMENTS.map((work) => work()));
      await proxy.set(state);
      await expectUnavailable(STATEMENTS);
      await proxy.set('refuse');
      await proxy.set('open');
      await untilItWorks();
      await Promise.all(STATEMENTS.map((work) => work()));
    },
  );

  test('callers that wait for a connection fail too', async () => {
    await proxy.set('hang');
    const select = (): Promise<unknown> => poolOf(dataSource).query('select 1');
    await expectUnavailable(Array<typeof select>(20).fill(select));
  });

  test('the loss of idle and of busy connections is survived', async () => {
    const client = await poolOf(dataSource).connect();
    const busy = failure(() => client.query('select pg_sleep(10)'));
    await dataSource.query('select 1');
    await sleep(50);
    proxy.cut();
    expect(isUnavailable((await busy).error)).toBe(true);
    client.release();
    await untilItWorks();
  });

  test('a transaction that loses its connection between two statements fails as unavailable', async () => {
    const { error } = await failure(() =>
      dataSource.transaction(async (manager) => {
        await manager.query('select 1');
        proxy.cut();
        await sleep(50);
        await manager.query('select 1');
      }),
    );
    expect(isUnavailable(error)).toBe(true);
  });
});

test('a statement that takes too long fails and takes its connection along', async () => {
  const sleeping = 'select pg_sleep(10)';
  const works = [
    () => dataSource.query(sleeping),
    () => poolOf(dataSource).query(sleeping),
    // It does not wait for its ROLLBACK.
    () => dataSource.transaction((manager) => manager.query(sleeping)),
  ];
  await expectUnavailable(works);
  expect(poolOf(dataSource).totalCount).toBe(0);
  await untilItWorks();
});

test('an idle connection that is lost is logged, unless the pool ends', async () => {
  const lines: string[] = [];
  configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
  const other = await connect({ url: proxy.url, applicationName: 'spec' });
  const pool = poolOf(other);
  const lost = new Error('terminating connection due to administrator command');
  pool.emit('error', lost);
  await other.destroy();
  pool.emit('error', lost);
  configureLogging({ application: 'test', levels: { root: 'warn' } });
  expect(lines).toEqual([expect.stringContaining('"msg":"lost an idle database connection"')]);
});

describe('connect', () => {
  test('waits for a database that is not there yet', async () => {
    await proxy.set('refuse');
    const connecting = connect({ url: proxy.url, applicationName: 'spec' });
    await sleep(300);
    await proxy.set('open');
    const late = await connecting;
    expect(late.isInitialized).toBe(true);
    await late.destroy();
  });

  test('gives up after the time it was given, without naming the host', async () => {
    await proxy.set('refuse');
    const { error } = await failure(() =>
      connect({ url: proxy.url, applicationName: 'spec', retryForMs: 100 }),
    );
    expect(error).toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: 'The database is not available.',
    });
  });

  test.each([
    ['a database that does not exist', (url: string) => url.replace(/\/empty_\w+/, '/missing')],
    ['a user that is not known', (url: string) => url.replace('postgres@', 'missing:secret@')],
    ['a URL of another kind', () => 'mysql://user:secret@db.internal/x'],
    ['a limit of time of its own', (url: string) => `${url}&statement_timeout=1`],
    ['a file without an end', (url: string) => `${url}&sslrootcert=/dev/zero`],
    ['TLS that it cannot have', (url: string) => `${url}&sslnegotiation=secret`],
  ])('refuses %s at once, without repeating the URL', async (_rule, change) => {
    const url = change(database.url);
    const { error } = await failure(() => connect({ url, applicationName: 'spec' }));
    expect(error).toMatchObject({ code: 'DATABASE_REFUSED' });
    expect(loggedText(error)).not.toMatch(/secret|internal|missing|zero/);
  });
});

describe('of several hosts', () => {
  let other: DatabaseProxy;

  beforeEach(async () => {
    other = new DatabaseProxy(database.url);
    await other.set('open');
  });
  afterEach(() => other.close());

  const open = (): Promise<DataSource> =>
    connect({
      url: proxy.url
        .replace('?', '?target_session_attrs=read-write&')
        .replace(/:\d+\//, (port) => port.replace('/', `,127.0.0.1:${other.port}/`)),
      applicationName: 'spec',
      poolSize: 2,
    });

  test('the first is used while it works', async () => {
    const opened = await open();
    await Promise.all([1, 2].map(() => opened.query('select pg_sleep(0.1)')));
    await opened.destroy();
    expect(other.accepted).toBe(0);
  });

  test.each(['refuse', 'hang'] as const)(
    'the next takes its place (the network: %s)',
    async (state) => {
      await proxy.set(state);
      const opened = await open();
      const before = proxy.accepted;
      // The pool has one connection, and opens another.
      await Promise.all([1, 2].map(() => opened.query('select pg_sleep(0.1)')));
      expect(other.accepted).toBe(2);
      expect(proxy.accepted).toBe(before);
      await opened.destroy();
    },
  );

  test('a host that is lost later is replaced, and replaces the other in turn', async () => {
    const opened = await open();
    for (const [lost, used] of [
      [proxy, other],
      [other, proxy],
    ] as const) {
      await used.set('open');
      const before = used.accepted;
      await lost.set('refuse');
      await until('the other host answers', () =>
        opened.query('select 1').then(
          () => true,
          () => false,
        ),
      );
      expect(used.accepted).toBeGreaterThan(before);
    }
    await opened.destroy();
  });
});

describe('the version of PostgreSQL', () => {
  // The function of another schema takes the place of PostgreSQL's own.
  const shadowed = (): string => `${database.url}&options=-c%20search_path%3Dshadow%2Cpg_catalog`;

  beforeAll(() => query(database.url, 'create schema shadow'));

  test.each([
    ['14.12 on x86_64-pc-linux-gnu, 64-bit', '14.12'],
    ['9.6.24 on aarch64', '9.6.24'],
  ])('%s is refused by name', async (text, version) => {
    await query(database.url, versionFunction(text));
    await expect(connect({ url: shadowed(), applicationName: 'spec' })).rejects.toMatchObject({
      code: 'DATABASE_TOO_OLD',
      message: `The database is PostgreSQL ${version}: Tessera needs 15 or newer.`,
    });
  });

  test.each(['15.0 on x86_64', '18.4 (Debian 18.4-1) on x86_64', '19beta1 on x86_64'])(
    '%s is taken',
    async (text) => {
      await query(database.url, versionFunction(text));
      await (await connect({ url: shadowed(), applicationName: 'spec' })).destroy();
    },
  );
});

const versionFunction = (text: string): string =>
  `create or replace function shadow.version() returns text language sql as $$ select 'PostgreSQL ${text}' $$`;
