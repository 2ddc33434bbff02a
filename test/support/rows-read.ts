// Counts the rows and index entries that PostgreSQL reads, from its statistics.
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { UserAccount } from '@tessera/accounts';
import { connect, poolOf } from '@tessera/database';
import { PropertyEntity } from '../../apps/config-server/src/database/property.entity.js';

const COUNT_ROWS = `select sum(pg_stat_get_tuples_returned(oid))::int as rows from pg_class
  where relnamespace = 'public'::regnamespace`;

/** A pool with one session and the settings of the product: it counts its own reads and keeps its plans. */
export interface CountingSession {
  readonly pool: Pool;
  readonly dataSource: DataSource;
  /** Number of rows that the session reads during `work`. */
  rowsRead(work: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

export async function openCountingSession(url: string): Promise<CountingSession> {
  const entities = [UserAccount, PropertyEntity];
  const dataSource = await connect({ url, poolSize: 1, applicationName: 'test', entities });
  const pool = poolOf(dataSource);
  // Statements queue for the only session, which may take long on a busy machine.
  pool.options.connectionTimeoutMillis = 30_000;
  const count = async (): Promise<number> => {
    await pool.query('select pg_stat_force_next_flush()');
    return (await pool.query<{ rows: number }>(COUNT_ROWS)).rows[0]?.rows ?? 0;
  };
  return {
    pool,
    dataSource,
    rowsRead: async (work) => {
      const before = await count();
      await work();
      return (await count()) - before;
    },
    close: () => dataSource.destroy(),
  };
}
