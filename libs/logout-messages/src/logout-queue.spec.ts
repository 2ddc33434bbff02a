import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { poolOf } from '@tessera/database';
import { createEmptyDatabase, createTestDatabase } from '../../../test/support/database.js';
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

test('a message waits after each attempt but the last, and has failed after it', async () => {
  const database = await createTestDatabase();
  const query = (sql: string) => database.dataSource.query(sql);
  const queue = new LogoutQueue(poolOf(database.dataSource), { isSupervised: false });
  const attempt = async (reason: string) => {
    await query('update pgboss.job set start_after = now()');
    for (const taken of await queue.take(10)) await queue.fail(taken, reason);
  };
  try {
    await queue.open();
    await query(`insert into pgboss.job (name, dead_letter, retry_limit, retry_delay, data)
      values ('logout-messages', 'logout-messages-failed', 2, 60, '{"id":"LR-1"}')`);
    const message = { id: 'LR-1' };
    expect(await queue.findWaiting()).toMatchObject([{ message, attempts: 0, reason: undefined }]);
    await attempt('first');
    const [waiting] = await queue.findWaiting();
    expect(waiting).toMatchObject({ message, attempts: 1, reason: 'first' });
    expect(waiting?.nextAttemptAt.getTime()).toBeGreaterThan(Date.now() + 30_000);
    await attempt('second');
    expect(await queue.findWaiting()).toMatchObject([{ attempts: 2, reason: 'second' }]);
    await query('update pgboss.job set start_after = now()');
    const [taken] = await queue.take(1);
    expect(await queue.findWaiting()).toEqual([]);
    await queue.fail(taken!, 'third');
    expect(await queue.findWaiting()).toEqual([]);
    expect(await queue.findFailed()).toMatchObject([{ message, attempts: 3, reason: 'third' }]);
  } finally {
    await queue.close();
    await database.drop();
  }
});
