// Finds out whether the database can write, without traffic and without leaving anything behind.
import type { DataSource } from 'typeorm';
import { codeOf } from './errors.js';

/** The least memory that PostgreSQL lets a query have; what needs more goes to a temporary file. */
const BEGIN = `select set_config('work_mem', '64kB', true),
  current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

/** Some 100 kB. */
const WRITE = `with written as materialized (select repeat('x', 1000) from generate_series(1, 100))
  select count(*) from written`;

/** Of an administrator who allows no temporary files: that says nothing of the disk. */
const TEMP_FILE_LIMIT = '53400';

/**
 * Writes a temporary file, which a full disk refuses as it refuses rows. That costs no write-ahead log and changes no
 * table.
 *
 * @returns whether transactions can only read
 * @throws what the driver throws: `53100` where the disk is full
 */
export async function tryToWrite(dataSource: DataSource): Promise<{ isReadOnly: boolean }> {
  return dataSource.transaction(async (manager) => {
    const [row] = await manager.query<readonly { isReadOnly: boolean }[]>(BEGIN);
    await manager.query(WRITE).catch((error: unknown) => {
      if (codeOf(error) !== TEMP_FILE_LIMIT) throw error;
    });
    return { isReadOnly: row?.isReadOnly === true };
  });
}
