// Runs the pending migrations, on one node at a time, each in a transaction of its own.
import {
  type DataSource,
  MigrationExecutor,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { loggerFor } from '@tessera/logging';
import { codeOf, DatabaseError, isUnavailable, reasonOf, toDatabaseError } from '@tessera/runtime';
import { connectWithoutTimeouts } from './connection.js';

const log = loggerFor('database');

/** An arbitrary number, the same in every version of Tessera. */
const MIGRATION_LOCK = 8_377_101;

/** SQLSTATEs insufficient_privilege and invalid_schema_name: no schema of the search_path may be used. */
const NOT_ALLOWED = ['42501', '3F000'];
/** PostgreSQL lets only the owner of a database create tables in its schema `public`. */
const CURE =
  '. Make the role of database.url the owner of the database ("alter database … owner to …") and of the tables ' +
  'that exist, or let it create tables ("grant usage, create on schema public to …").';

/**
 * Runs the pending migrations, oldest first, each in a transaction of its own. Several nodes may call it at once: an
 * advisory lock lets one run them, and the others then find none pending.
 *
 * @returns the names of the migrations this call ran
 * @throws {DatabaseError} `DATABASE_NEWER` when the database records a migration this program does
 * not know; `MIGRATION_FAILED`, with the name of the migration, which was rolled back
 */
export async function migrate(dataSource: DataSource): Promise<readonly string[]> {
  return withUnlimitedSession(dataSource, async (session) => {
    await session.query("set lock_timeout = '10min'");
    await session.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await session.query("set lock_timeout = '30s'");
    return runPending(session);
  });
}

/** The names of the migrations {@link migrate} would run; none when the schema is current. */
export async function pendingMigrations(dataSource: DataSource): Promise<readonly string[]> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  return pending.map(({ name }) => name);
}

/**
 * Runs work that may take long (an import, a repair) on a session of its own, outside the pool and
 * without its timeouts. The session ends with the work.
 */
export async function withUnlimitedSession<T>(
  dataSource: DataSource,
  work: (session: QueryRunner) => Promise<T>,
): Promise<T> {
  try {
    const unlimited = await connectWithoutTimeouts(dataSource);
    try {
      return await work(unlimited.createQueryRunner());
    } finally {
      await unlimited.destroy();
    }
  } catch (error) {
    throw toDatabaseError(error);
  }
}

async function runPending(session: QueryRunner): Promise<readonly string[]> {
  const executor = new MigrationExecutor(session.dataSource, session);
  await refuseNewer(session, executor);
  const names: string[] = [];
  for (const migration of await executor.getPendingMigrations()) {
    await session.startTransaction();
    try {
      await executor.executeMigration(migration);
      await session.commitTransaction();
    } catch (error) {
      await session.rollbackTransaction().catch(() => {});
      throw migrationError(migration.name, error);
    }
    log.info({ migration: migration.name }, 'migrated the database');
    names.push(migration.name);
  }
  return names;
}

async function refuseNewer(session: QueryRunner, executor: MigrationExecutor): Promise<void> {
  const known = new Set(session.dataSource.migrations.map(nameOf));
  const recorded = (await executor.getExecutedMigrations()).map(({ name }) => name);
  const unknown = recorded.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new DatabaseError(
    'DATABASE_NEWER',
    `The database is newer than this program: it records ${unknown.toSorted().join(', ')}.`,
  );
}

function nameOf(migration: MigrationInterface): string {
  return migration.name ?? migration.constructor.name;
}

function migrationError(name: string, error: unknown): unknown {
  if (isUnavailable(error)) return error;
  return new DatabaseError(
    'MIGRATION_FAILED',
    `The migration ${name} failed: ${reasonOf(error)}${NOT_ALLOWED.includes(codeOf(error)) ? CURE : ''}`,
    error,
  );
}
