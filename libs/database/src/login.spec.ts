import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createEmptyDatabase } from '../../../test/support/database.js';
import { DatabaseProxy } from '../../../test/support/database-proxy.js';
import { DatabaseRole } from '../../../test/support/database-role.js';
import { until } from '../../../test/support/until.js';
import { connect, poolOf } from './connection.js';
import { isUnavailable } from './errors.js';
import { DatabaseLogin, isSameDatabase } from './login.js';
import { withUnlimitedSession } from './migrate.js';

const POOL_SIZE = 3;

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
  login = new DatabaseLogin(one.url());
  dataSource = await connect({ ...options, url: login.url });
  login.govern(dataSource);
});

afterEach(() => dataSource.destroy());

async function goOverTo(role: DatabaseRole): Promise<void> {
  const change = await login.prepare(role.url());
  change?.commit();
}

/** Who PostgreSQL takes a session of the pool for. */
async function whoAmI(): Promise<unknown> {
  const { rows } = await poolOf(dataSource).query<{ name: string }>('select current_user as name');
  return rows[0]?.name;
}

/** Long before sessions at rest end by themselves, which is after 10 s. */
async function untilGone(role: DatabaseRole): Promise<void> {
  await until('its sessions end', async () => (await role.sessions()).length === 0, 5_000);
}

describe('two URLs', () => {
  const URL = 'postgresql://sso:old@db.internal:5432/sso?sslmode=disable';
  test.each([
    ['nothing, which is the embedded one,', undefined],
    ['another host', 'postgresql://sso:old@db2.internal/sso'],
    ['another port', 'postgresql://sso:old@db.internal:5433/sso'],
    ['another database', 'postgresql://sso:old@db.internal/cas'],
    ['another host in the query', 'postgresql://sso:old@db.internal/sso?host=/run/postgresql'],
    ['no host', 'postgresql:///sso'],
  ])('with %s are of different databases', (_what, url) => {
    expect(isSameDatabase(URL, url)).toBe(false);
    expect(isSameDatabase(url, URL)).toBe(false);
  });

  test.each([
    ['another password', 'postgresql://sso:n%3Aw@db.internal:5432/sso?sslmode=disable'],
    ['another user', 'postgresql://sso2:old@db.internal:5432/sso?sslmode=disable'],
    ['another scheme and the default port', 'postgres://sso:old@db.internal/sso'],
    ['other options', 'postgresql://sso:old@db.internal/sso?sslmode=no-verify'],
    ['the host in the query', 'postgresql://sso:old@elsewhere/sso?host=db.internal'],
    ['no sense, which the attempt will tell', 'postgresql://sso:old@db.internal:x/sso'],
  ])('with %s are of the same', (_what, url) => {
    expect(isSameDatabase(URL, url)).toBe(true);
  });
});

describe('another login', () => {
  test.each([
    [
      'with a wrong password',
      () => one.url('wrong-secret'),
      'database.url: The database refused the connection (SQLSTATE 28P01).',
    ],
    [
      'on another kind of server',
      () => 'mysql://user:wrong-secret@db.internal/x',
      'database.url: The database URL is not a postgresql:// URL.',
    ],
    [
      'by a URL without sense',
      () => 'postgresql://u:wrong-secret@db.internal:x/y',
      'database.url: Invalid URL',
    ],
  ])('%s is refused, and the one in use stays', async (_rule, url, message) => {
    await expect(login.prepare(url())).rejects.toThrow(expect.objectContaining({ message }));
    expect(await whoAmI()).toBe(one.name);
  });

  test('on a database that is away is refused as such', async () => {
    const door = new DatabaseProxy(other.url());
    await door.set('open');
    const { url } = door;
    await door.close();
    await expect(login.prepare(url)).rejects.toThrow(
      expect.objectContaining({ message: 'database.url: The database is not available.' }),
    );
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
    await goOverTo(other);
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
    const change = await login.prepare(other.url());
    const name = whoAmI();
    change?.commit();
    expect(await name).toBe(one.name);
    held.release();
    await untilGone(one);
  });

  test('that comes before there is a connection is taken as it is, and connected with', async () => {
    const early = new DatabaseLogin('postgresql://nobody@127.0.0.1:1/x');
    const change = await early.prepare(other.url());
    expect(early.url).not.toBe(other.url());
    change?.commit();
    expect(early.url).toBe(other.url());
  });

  test('that comes while it is connected with the old one is gone over to', async () => {
    const late = new DatabaseLogin(one.url());
    const change = await late.prepare(other.url());
    change?.commit();
    late.govern(dataSource);
    expect(await whoAmI()).toBe(other.name);
    await untilGone(one);
  });

  test('that was made ready before the connection is gone over to after it', async () => {
    const late = new DatabaseLogin(one.url());
    const change = await late.prepare(other.url());
    late.govern(dataSource);
    expect(await whoAmI()).toBe(one.name);
    change?.commit();
    expect(await whoAmI()).toBe(other.name);
  });

  test('is that of sessions beside the pool too', async () => {
    await goOverTo(other);
    await one.changePassword();
    const rows: unknown = await withUnlimitedSession(dataSource, (session) =>
      session.query('select current_user as name'),
    );
    expect(rows).toEqual([{ name: other.name }]);
  });
});

test('no statement fails over 200 changes, no session is left over, and the pool keeps its bounds', async () => {
  const pool = poolOf(dataSource);
  const listeners = pool.eventNames().map((name) => pool.listenerCount(name));
  const over = new AbortController();
  const names = new Set<unknown>();
  let most = 0;
  const work = async (turn: number): Promise<void> => {
    while (!over.signal.aborted) {
      most = Math.max(most, pool.totalCount);
      if (turn % 2 === 0) names.add(await whoAmI());
      else await dataSource.transaction((manager) => manager.query('select 1'));
    }
  };
  const workers = Promise.all(Array.from({ length: POOL_SIZE + 1 }, (_, turn) => work(turn)));
  for (let change = 0; change < 200; change += 1) await goOverTo(change % 2 === 0 ? other : one);
  over.abort();
  await workers;
  expect(names).toEqual(new Set([one.name, other.name]));
  expect(most).toBe(POOL_SIZE);
  expect(await whoAmI()).toBe(one.name);
  await untilGone(other);
  await until('what was in use has ended', async () => {
    return (await one.sessions()).length === pool.totalCount;
  });
  expect(pool.eventNames().map((name) => pool.listenerCount(name))).toEqual(listeners);
  expect(pool.waitingCount).toBe(0);
});

describe('while PostgreSQL refuses the login', () => {
  /** Takes away the sessions that were let in, and what they were let in by. */
  async function lockOut(): Promise<void> {
    await one.changePassword();
    await one.endIdleSessions();
    await until('the pool knows', () => poolOf(dataSource).totalCount === 0);
  }

  const renewBy = (renewal: () => Promise<void>): void =>
    new DatabaseLogin(one.url(), renewal).govern(dataSource);

  test('callers fail at once where nobody gives another', async () => {
    await lockOut();
    await expect(whoAmI()).rejects.toMatchObject({ code: '28P01' });
  });

  test('callers wait for another, which is asked for once', async () => {
    let asked = 0;
    renewBy(async () => {
      asked += 1;
      await goOverTo(one);
    });
    await lockOut();
    const names = Promise.all(Array.from({ length: 20 }, whoAmI));
    expect(new Set(await names)).toEqual(new Set([one.name]));
    expect(asked).toBe(1);
  });

  test('callers take turns on the sessions there are', async () => {
    renewBy(() => Promise.resolve());
    await one.changePassword();
    const pool = poolOf(dataSource);
    await Promise.all(Array.from({ length: 20 }, () => pool.query('select pg_sleep(0.01)')));
    expect(pool.totalCount).toBe(1);
  });

  test('callers fail within 2 s, as when it is away, where another is late', async () => {
    renewBy(() => Promise.reject(new Error('nobody knows one')));
    await lockOut();
    const began = performance.now();
    const error: unknown = await whoAmI().catch((thrown: unknown) => thrown);
    expect(isUnavailable(error)).toBe(true);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
