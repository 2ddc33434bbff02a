import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createEmptyDatabase } from '../../../test/support/database.js';
import { DatabaseProxy } from '../../../test/support/tcp-proxy.js';
import { DatabaseRole } from '../../../test/support/database-role.js';
import { until } from '../../../test/support/until.js';
import { connect, poolOf } from './connection.js';
import { DatabaseLogin, type LoginChange } from './login.js';
import { withUnlimitedSession } from './migrate.js';

const POOL_SIZE = 3;

const NEEDS = { right: 'own', tables: [] } as const;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let one: DatabaseRole;
let other: DatabaseRole;
let login: DatabaseLogin;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createEmptyDatabase();
  one = await DatabaseRole.create(database.url);
  other = await DatabaseRole.create(database.url);
});

afterAll(async () => {
  await Promise.all([one.drop(), other.drop()]);
  await database.drop();
});

beforeEach(async () => {
  const options = { applicationName: 'spec', poolSize: POOL_SIZE, migrations: [] };
  login = new DatabaseLogin(one.url(), NEEDS);
  dataSource = await connect({ ...options, url: login.url });
  await login.attach(dataSource);
});

afterEach(() => dataSource.destroy());

async function ready(url: string, ofLogin = login): Promise<LoginChange> {
  const change = await ofLogin.prepare(url);
  if (change === undefined || 'violation' in change) {
    throw new Error(change?.violation ?? 'no change');
  }
  return change;
}

async function changeTo(role: DatabaseRole): Promise<void> {
  (await ready(role.url())).commit();
}

/** The user of a session of the pool. */
async function whoAmI(): Promise<unknown> {
  const { rows } = await poolOf(dataSource).query<{ name: string }>('select current_user as name');
  return rows[0]?.name;
}

/** Waits less than the 10 s after which idle sessions end by themselves. */
async function untilGone(role: DatabaseRole): Promise<void> {
  await until('its sessions end', async () => (await role.sessions()).length === 0, 5_000);
}

describe('another login', () => {
  test.each([
    [
      'with a wrong password',
      () => one.url('wrong-secret'),
      'the database refuses user or password (SQLSTATE 28P01)',
    ],
    [
      'of a user that is not known',
      () => one.url().replace(one.name, 'nobody'),
      'the database refuses user or password (SQLSTATE 28000)',
    ],
    [
      'on another kind of server',
      () => 'mysql://user:wrong-secret@db.internal/x',
      'must be postgresql://user:password@host/database',
    ],
    [
      'by an invalid URL',
      () => 'postgresql://u:wrong-secret@db.internal:x/y',
      'must be postgresql://user:password@host/database',
    ],
    [
      'by a URL that is not escaped as it should be',
      () => one.url('wrong-secret%ff'),
      'cannot connect to the database',
    ],
  ])('%s is refused, and the one in use stays', async (_rule, url, violation) => {
    expect(await login.prepare(url())).toEqual({ violation });
    expect(await whoAmI()).toBe(one.name);
  });

  test('on an unavailable database fails as unavailable', async () => {
    const proxy = new DatabaseProxy(other.url());
    await proxy.set('open');
    const { url } = proxy;
    await proxy.close();
    expect(await login.prepare(url)).toEqual({ violation: 'the database is not available' });
  });

  test.each([
    ['that is the one in use', () => one.url()],
    ['of the embedded database, which has none,', () => undefined],
  ])('%s changes nothing', async (_rule, url) => {
    expect(await login.prepare(url())).toBeUndefined();
  });

  test('does not count before it is gone over to', async () => {
    await login.prepare(other.url());
    expect(await whoAmI()).toBe(one.name);
    await untilGone(other);
  });

  test('is that of all new sessions; those at rest end, those in use when they are done', async () => {
    const held = await poolOf(dataSource).connect();
    await held.query('begin');
    await Promise.all([whoAmI(), whoAmI()]);
    await changeTo(other);
    await until('the others end', async () => (await one.sessions()).length === 1);
    expect(await whoAmI()).toBe(other.name);
    const { rows } = await held.query('select current_user as name');
    expect(rows).toEqual([{ name: one.name }]);
    await held.query('commit');
    held.release();
    await untilGone(one);
  });

  test('ends the sessions, too, that were about to begin under the old one', async () => {
    const held = await poolOf(dataSource).connect();
    const change = await ready(other.url());
    const name = whoAmI();
    change.commit();
    expect(await name).toBe(one.name);
    held.release();
    await untilGone(one);
  });

  test('that comes before there is a connection is taken as it is, and connected with', async () => {
    const early = new DatabaseLogin('postgresql://nobody@127.0.0.1:1/x', NEEDS);
    const change = await ready(other.url(), early);
    expect(early.url).not.toBe(other.url());
    change.commit();
    expect(early.url).toBe(other.url());
  });

  test('that comes while it is connected with the old one is gone over to', async () => {
    const late = new DatabaseLogin(one.url(), NEEDS);
    const change = await ready(other.url(), late);
    change.commit();
    await late.attach(dataSource);
    expect(await whoAmI()).toBe(other.name);
    await untilGone(one);
  });

  test('that was made ready before the connection is gone over to after it', async () => {
    const late = new DatabaseLogin(one.url(), NEEDS);
    const change = await ready(other.url(), late);
    await late.attach(dataSource);
    expect(await whoAmI()).toBe(one.name);
    change.commit();
    expect(await whoAmI()).toBe(other.name);
  });

  test('is that of sessions beside the pool too', async () => {
    await one.changePassword();
    await expect(withUnlimitedSession(dataSource, () => Promise.resolve())).rejects.toMatchObject({
      code: 'DATABASE_REFUSED',
      message: 'The database refuses user or password (SQLSTATE 28P01).',
    });
    await changeTo(other);
    const rows: unknown = await withUnlimitedSession(dataSource, (session) =>
      session.query('select current_user as name'),
    );
    expect(rows).toEqual([{ name: other.name }]);
  });
});

test('no statement fails over 50 changes, no session is left over, and the pool keeps its bounds', async () => {
  const pool = poolOf(dataSource);
  const listeners = pool.eventNames().map((name) => pool.listenerCount(name));
  const over = new AbortController();
  const names = new Set<unknown>();
  let maxSessions = 0;
  const work = async (turn: number): Promise<void> => {
    while (!over.signal.aborted) {
      maxSessions = Math.max(maxSessions, pool.totalCount);
      if (turn % 2 === 0) names.add(await whoAmI());
      else await dataSource.transaction((manager) => manager.query('select 1'));
    }
  };
  const workers = Promise.all(Array.from({ length: POOL_SIZE + 1 }, (_, turn) => work(turn)));
  for (let change = 0; change < 50; change += 1) await changeTo(change % 2 === 0 ? other : one);
  over.abort();
  await workers;
  expect(names).toEqual(new Set([one.name, other.name]));
  expect(maxSessions).toBe(POOL_SIZE);
  expect(await whoAmI()).toBe(one.name);
  await untilGone(other);
  await until('the sessions in use have ended', async () => {
    return (await one.sessions()).length === pool.totalCount;
  });
  expect(pool.eventNames().map((name) => pool.listenerCount(name))).toEqual(listeners);
  expect(pool.waitingCount).toBe(0);
});
