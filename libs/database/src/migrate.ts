// Runs the pending migrations, on one node at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { loggerFor } from '@tessera/logging';
import {
  backoffDelay,
  codeOf,
  DatabaseError,
  isLocked,
  isUnavailable,
  productVersion,
  reasonOf,
  toDatabaseError,
} from '@tessera/runtime';
import { refusedError } from './connection-errors.js';
import { connectWithoutTimeouts } from './connection.js';
import { type Migration, numberOf } from './migrations/migration.js';
import { readSchema, requireCompatible } from './schema-state.js';

const log = loggerFor('database');

/** An arbitrary number, the same in every version of Tessera. */
const MIGRATION_LOCK = 8_377_101;
/** A statement that waits for a lock makes all later ones wait, too. So it gives up soon, and is tried again. */
const LOCK_TIMEOUT = '1s';
/** In milliseconds, between attempts. */
const BACKOFF = { initial: 250, max: 5_000, jitter: 0.5 };
const WAIT_LIMIT_MS = 600_000;

/** SQLSTATEs lock_not_available and deadlock_detected. */
const LOCKED = ['55P03', '40P01'];
/**
 * Fails at once while another process migrates. A statement that waits would keep a transaction open, for which CREATE
 * INDEX CONCURRENTLY of the other process waits.
 */
const TAKE_LOCK = `do $$ begin
  if not pg_try_advisory_lock(${MIGRATION_LOCK}) then
    raise lock_not_available using message = 'another process migrates the database';
  end if;
end $$`;
/** As TypeORM makes it. */
const BOOKKEEPING = `create table schema_migration (
  id serial constraint "PK_0edff5015b71cc0389ae0f4b9a1" primary key, "timestamp" bigint not null, name varchar not null)`;

/** SQLSTATEs insufficient_privilege and invalid_schema_name: no schema of the search_path may be used. */
const NOT_ALLOWED = ['42501', '3F000'];
/** PostgreSQL lets only the owner of a database create tables in its schema `public`. */
const CURE =
  '. Make the role of database.url the owner of the database ("alter database … owner to …") and of the tables ' +
  'that exist, or let it create tables ("grant usage, create on schema public to …").';

/**
 * Runs the pending migrations, oldest first, each in a transaction of its own unless it says otherwise. Several nodes may
 * call it at once: an advisory lock lets one run them, and the others then find none pending. Without a pending migration
 * it waits for nobody.
 *
 * @param waitLimitMs how long to try for a lock: of the migrations, and of the tables of each
 * @returns the names of the migrations this call ran
 * @throws {DatabaseError} `DATABASE_NEWER` when this program is older than the schema allows; `MIGRATION_FAILED`, with the
 * name of the migration, which was rolled back
 */
export async function migrate(
  dataSource: DataSource,
  waitLimitMs = WAIT_LIMIT_MS,
): Promise<readonly string[]> {
  if (!(await hasPending(dataSource))) return [];
  return withUnlimitedSession(dataSource, async (session) => {
    await takeLock(session, waitLimitMs);
    return runPending(session, waitLimitMs);
  });
}

/**
 * The names of the migrations {@link migrate} would run; none when the schema is current, or newer and compatible.
 *
 * @throws {DatabaseError} `DATABASE_NEWER` when this program is older than the schema allows; errors of the driver
 */
export async function pendingMigrations(dataSource: DataSource): Promise<readonly string[]> {
  const state = await readSchema(dataSource);
  requireCompatible(state);
  return state.pending.map(({ name }) => name);
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

async function hasPending(dataSource: DataSource): Promise<boolean> {
  try {
    return (await pendingMigrations(dataSource)).length > 0;
  } catch (error) {
    if (!NOT_ALLOWED.includes(codeOf(error))) throw toDatabaseError(error);
    throw refusedError(`the migrations cannot be read: ${reasonOf(error)}${CURE.slice(0, -1)}`);
  }
}

/** An advisory lock of the session, so that it ends with it. */
async function takeLock(session: QueryRunner, waitLimitMs: number): Promise<void> {
  try {
    await retryWhileLocked(() => session.query(TAKE_LOCK), waitLimitMs, 'migrations');
  } catch (error) {
    throw LOCKED.includes(codeOf(error))
      ? new DatabaseError(
          'MIGRATION_FAILED',
          'Another process holds the lock of migrations.',
          error,
        )
      : error;
  }
}

async function runPending(session: QueryRunner, waitLimitMs: number): Promise<readonly string[]> {
  // A commit that waits for a standby would keep its locks as long as the standby is away.
  await session.query(`set lock_timeout = '${LOCK_TIMEOUT}'; set synchronous_commit = local`);
  const state = await readSchema(session.dataSource, session);
  requireCompatible(state);
  for (const migration of state.pending) {
    try {
      await retryWhileLocked(() => run(migration, session), waitLimitMs, migration.name);
    } catch (error) {
      throw migrationError(migration.name, error);
    }
    log.info({ migration: migration.name }, 'migrated the database');
  }
  return state.pending.map(({ name }) => name);
}

async function run(migration: Migration, session: QueryRunner): Promise<void> {
  const isInTransaction = migration.transaction ?? true;
  if (!isInTransaction) await migration.up(session);
  await session.startTransaction();
  try {
    if (!(await session.hasTable('schema_migration'))) await session.query(BOOKKEEPING);
    if (isInTransaction) await migration.up(session);
    await record(migration, session);
    await session.commitTransaction();
  } catch (error) {
    await session.rollbackTransaction().catch(() => {});
    throw error;
  }
}

async function record(migration: Migration, session: QueryRunner): Promise<void> {
  const { name, compatibleFrom } = migration;
  const fields = { timestamp: numberOf(migration), name };
  const added = { compatible_from: compatibleFrom, version: productVersion() };
  const row = compatibleFrom === undefined ? fields : { ...fields, ...added };
  const columns = Object.keys(row).join('", "');
  await session.query(
    `insert into schema_migration ("${columns}")
     select "${columns}" from json_populate_record(null::schema_migration, $1)`,
    [row],
  );
}

/** Calls `attempt` until it needs no lock that another session holds. @throws its error, the last one at the limit */
async function retryWhileLocked(
  attempt: () => Promise<void>,
  waitLimitMs: number,
  what: string,
): Promise<void> {
  const deadline = performance.now() + waitLimitMs;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!LOCKED.includes(codeOf(error)) || performance.now() >= deadline) throw error;
      if (attempts === 1) log.warn({ lock: what }, 'waiting for a lock of the database');
      await sleep(backoffDelay(attempts, BACKOFF));
    }
  }
}

function migrationError(name: string, error: unknown): unknown {
  if (isUnavailable(error) && !isLocked(error)) return error;
  const cure = NOT_ALLOWED.includes(codeOf(error)) ? CURE : '';
  return new DatabaseError(
    'MIGRATION_FAILED',
    `The migration ${name} failed: ${reasonOf(error)}${cure}`,
    error,
  );
}
