import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { poolOf } from '@tessera/database';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../../test/support/database.js';
import type { LogoutMessage } from './logout-message.js';
import { LogoutQueue } from './logout-queue.js';

/** A predefined role of PostgreSQL, which may create nothing. */
const ROLE = 'pg_monitor';

describe('open', () => {
  test('says what a role needs that may not create the schema', async () => {
    const database = await createEmptyDatabase();
    const pool = new pg.Pool({ connectionString: database.url, options: `-c role=${ROLE}` });
    const queue = new LogoutQueue(pool, { isSupervised: false });
    try {
      await expect(queue.open()).rejects.toMatchObject({
        name: 'DatabaseError',
        code: 'MIGRATION_FAILED',
        message: expect.stringMatching(
          /^The queue of logout messages cannot be created: permission denied for database \S+\. Let the role of database\.url create its schema, pgboss \("grant create on database … to …"\), or set sso\.logout\.enabled=false\.$/,
        ),
      });
    } finally {
      await queue.close();
      await pool.end();
      await database.drop();
    }
  });
});

describe('the queue', () => {
  let database: TestDatabase;
  let queue: LogoutQueue;

  beforeAll(async () => {
    database = await createTestDatabase();
    queue = new LogoutQueue(poolOf(database.dataSource), { isSupervised: false });
    await queue.open();
  });
  beforeEach(() => query('delete from pgboss.job'));
  afterAll(async () => {
    await queue.close();
    await database.drop();
  });

  const query = <T>(sql: string): Promise<T> => database.dataSource.query(sql);
  const makeDue = () => query('update pgboss.job set start_after = now()');
  const take = async (limit: number, except: readonly string[] = []) =>
    queue.take(limit, { perGroup: 2, except });
  const idsOf = (taken: readonly { readonly message: LogoutMessage }[]) =>
    taken.map(({ message }) => message.id).toSorted();
  const messageOf = (id: string): LogoutMessage => ({
    id,
    principal: 'ann',
    service: 'https://app/',
    ticket: 'ST-1',
    endedAt: '2026-11-23T20:15:30.000Z',
  });
  const addMessage = () =>
    query(`insert into pgboss.job (name, data)
      select 'logout-messages', '${JSON.stringify(messageOf('LR-1'))}'`);
  /** Queues a delivery for each id, in the group that its first letter names. */
  const add = async (...ids: readonly string[]) => {
    await addMessage();
    const [message] = await queue.takeUnaddressed(1);
    const deliveries = ids.map((id) => ({
      delivery: { ...messageOf(id), urlIndex: 0 },
      group: id[0] ?? '',
    }));
    await queue.address([[message!, deliveries]]);
  };

  test('has a message once, until its deliveries replace it', async () => {
    await addMessage();
    const [message, ...others] = await queue.takeUnaddressed(10);
    expect([message?.message, others]).toEqual([messageOf('LR-1'), []]);
    expect(await queue.takeUnaddressed(10)).toEqual([]);
    const deliveries = [0, 1].map((urlIndex) => ({
      delivery: { ...messageOf(`LR-${urlIndex}`), urlIndex },
      group: `app ${urlIndex}`,
    }));
    await queue.address([[message!, deliveries]]);
    const given = await take(10);
    expect(given.toSorted((one, other) => (one.group < other.group ? -1 : 1))).toMatchObject(
      deliveries.map(({ delivery, group }) => ({ message: delivery, group })),
    );
    expect(await query(`select state from pgboss.job where name = 'logout-messages'`)).toEqual([
      { state: 'completed' },
    ]);
  });

  test('has each delivery once, where a crash came between it and its message', async () => {
    await addMessage();
    const [message] = await queue.takeUnaddressed(10);
    const deliveries = [{ delivery: { ...messageOf('LR-1'), urlIndex: 0 }, group: 'app' }];
    await queue.address([[message!, deliveries]]);
    await queue.address([[message!, deliveries]]);
    expect(await take(10)).toHaveLength(1);
  });

  test('gives at most so many of a group at once, to all nodes together', async () => {
    await add('a1', 'a2', 'a3', 'b1');
    const first = await take(10);
    expect(idsOf(first)).toHaveLength(3);
    expect(idsOf(await take(10))).toEqual([]);
    await queue.complete(first.find(({ group }) => group === 'a')!);
    expect(await take(10)).toHaveLength(1);
  });

  test('gives those of a group behind any number of others', async () => {
    await add('a1', 'a2', 'a3', 'a4', 'b1');
    expect(await take(2)).toHaveLength(2);
    expect(idsOf(await take(2))).toEqual(['b1']);
  });

  test('gives none of the groups that are excepted', async () => {
    await add('a1', 'b1', 'c1');
    expect(idsOf(await take(10, ['a', 'c']))).toEqual(['b1']);
  });

  test('gives first attempts before repetitions', async () => {
    await add('a1');
    await queue.fail((await take(1))[0]!, 'no');
    await add('b1');
    await makeDue();
    expect(idsOf(await take(1))).toEqual(['b1']);
    expect(idsOf(await take(1))).toEqual(['a1']);
  });

  test('has a message wait after each attempt but the last, and fail after it', async () => {
    await add('a1');
    await query(`update pgboss.job set retry_limit = 2, retry_delay = 60`);
    const message = messageOf('a1');
    const attempt = async (reason: string) => {
      await makeDue();
      for (const taken of await take(10)) await queue.fail(taken, reason);
    };
    expect(await queue.findWaiting()).toMatchObject([{ message, attempts: 0, reason: undefined }]);
    await attempt('first');
    const [waiting] = await queue.findWaiting();
    expect(waiting).toMatchObject({ message, attempts: 1, reason: 'first' });
    expect(waiting?.nextAttemptAt.getTime()).toBeGreaterThan(Date.now() + 30_000);
    await attempt('second');
    expect(await queue.findWaiting()).toMatchObject([{ attempts: 2, reason: 'second' }]);
    await makeDue();
    const [taken] = await take(1);
    expect(await queue.findWaiting()).toEqual([]);
    await queue.fail(taken!, 'third');
    expect(await queue.findWaiting()).toEqual([]);
    expect(await queue.findFailed()).toMatchObject([{ message, attempts: 3, reason: 'third' }]);
    expect(await queue.retryFailed()).toBe(1);
    expect(idsOf(await take(1))).toEqual(['a1']);
  });
});
