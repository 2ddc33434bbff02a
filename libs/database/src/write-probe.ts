// Checks whether the database can write, without changing it.
import type { DataSource } from 'typeorm';
import { codeOf } from '@tessera/runtime';

/** The least `work_mem` that PostgreSQL allows: a query that needs more writes a temporary file. */
const BEGIN = `select set_config('work_mem', '64kB', true),
  current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

/** Writes some 100 kB. */
const WRITE = `with written as materialized (select repeat('x', 1000) from generate_series(1, 100))
  select count(*) from written`;

/** The administrator limits temporary files: that says nothing about the disk. */
const TEMP_FILE_LIMIT_EXCEEDED = '53400';

/**
 * Writes a temporary file, which fails on a full disk as an insert does, but costs no write-ahead log and changes no table.
 *
 * @returns whether transactions are read-only
 * @throws errors of the driver: `53100` where the disk is full
 */
export async function probeWrite(dataSource: DataSource): Promise<{ isReadOnly: boolean }> {
  return dataSource.transaction(async (manager) => {
    const [row] = await manager.query<readonly { isReadOnly: boolean }[]>(BEGIN);
    await manager.query(WRITE).catch((error: unknown) => {
      if (codeOf(error) !== TEMP_FILE_LIMIT_EXCEEDED) throw error;
    });
    return { isReadOnly: row?.isReadOnly === true };
  });
}
