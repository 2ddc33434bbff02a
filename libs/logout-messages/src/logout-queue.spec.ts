import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createEmptyDatabase } from '../../../test/support/database.js';
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
