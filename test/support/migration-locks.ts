// Runs a migration and tells what of it would block requests for longer than a moment.
import type { QueryRunner } from 'typeorm';
import { codeOf, type Migration } from '@tessera/database';

/** SQLSTATE active_sql_transaction: the statement works without a transaction alone, and takes weaker locks there. */
const NO_TRANSACTION = '25001';

/** Locks that stop reads or writes. */
const LOCKS = `select relation::integer as oid, mode from pg_locks
  where pid = pg_backend_pid() and relation = any ($1::oid[])
    and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  order by relation, mode`;

/** The file changes when PostgreSQL rewrites a table. The statistics count rows that are read and written, also by DDL. */
const TABLES = `select pg_class.oid::integer as oid, pg_class.relname as name, pg_relation_filenode(pg_class.oid)::text as file,
    seq_tup_read + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del as rows
  from pg_class left join pg_stat_xact_user_tables on relid = pg_class.oid
  where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
  order by pg_class.relname`;

interface Table {
  readonly oid: number;
  readonly name: string;
  readonly file: string | null;
  /** A count as text: PostgreSQL's bigint. */
  readonly rows: string | null;
}

/**
 * Runs `up`. A statement of a migration without a transaction runs in one of its own where PostgreSQL allows it.
 *
 * @param session in no transaction
 * @returns a line for each table of before that was locked while rows were read, written or rewritten; `commit` keeps it
 */
export async function runAndFindBlocked(
  migration: Migration,
  session: QueryRunner,
): Promise<readonly string[]> {
  if (migration.transaction ?? true) return inTransaction(session, () => migration.up(session));
  const blocked: string[] = [];
  const query = async (text: string): Promise<void> => {
    try {
      blocked.push(...(await inTransaction(session, () => session.query(text))));
    } catch (error) {
      if (codeOf(error) !== NO_TRANSACTION) throw error;
      await session.query(text);
    }
  };
  await migration.up({ query } as unknown as QueryRunner);
  return blocked;
}

async function inTransaction(
  session: QueryRunner,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  await session.startTransaction();
  try {
    const before = (await session.query(TABLES)) as readonly Table[];
    await work();
    const after = (await session.query(TABLES)) as readonly Table[];
    const locks = (await session.query(LOCKS, [before.map(({ oid }) => oid)])) as readonly {
      readonly oid: number;
      readonly mode: string;
    }[];
    await session.commitTransaction();
    const worked = before.filter((table) => hasWork(table, after)).map(({ name }) => name);
    if (worked.length === 0) return [];
    const nameOf = (oid: number): string => before.find((table) => table.oid === oid)?.name ?? '';
    return locks.map(
      ({ oid, mode }) => `${nameOf(oid)} has ${mode} during work on ${worked.join(', ')}`,
    );
  } catch (error) {
    await session.rollbackTransaction();
    throw error;
  }
}

/** Whether rows of the table were read, written or rewritten. A table that was dropped needs none. */
function hasWork(before: Table, tables: readonly Table[]): boolean {
  const after = tables.find(({ oid }) => oid === before.oid);
  return after !== undefined && (after.rows !== before.rows || after.file !== before.file);
}
