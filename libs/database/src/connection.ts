// The connection to PostgreSQL: pool, timeouts, session settings.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { urlViolation, codeOf, DatabaseError, isUnavailable, reasonOf } from '@tessera/runtime';
import { loggerFor, withoutRequest } from '@tessera/logging';
import { DatabaseHosts } from './hosts.js';
import { SessionPool } from './session.js';
import { migrations } from './migrations/index.js';
import type { MigrationClass } from './migrations/migration.js';
import { refusedError, withoutQuotes } from './connection-errors.js';
import { StatementTimeout } from './statement-timeout.js';

const log = loggerFor('database');

/**
 * Timeouts in milliseconds. Connect and statement: together below 2 s, the longest wait of a caller while the database is
 * unavailable. The server's own is above ours: it ends statements whose connection we have closed. Lock: requests share
 * statements, so one that waits for a row holds up the others.
 */
export const DATABASE_TIMEOUTS = {
  connect: 900,
  statement: 1_000,
  serverStatement: 1_500,
  lock: 250,
};
/** Those of new connections. Specs raise them, because a busy machine is no unavailable database. */
export const databaseTimeouts = { ...DATABASE_TIMEOUTS };
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
const RETRY_DELAY_MS = 250;
const RETRY_FOR_MS = 30_000;
/** The oldest major version of PostgreSQL that Tessera is tested with. */
const OLDEST_POSTGRES = 15;

/**
 * Planner settings. Generic plans serve look-ups by key and must not depend on the size a table had when they were made:
 * a scan chosen for an empty table would stay until the next statistics. JIT never pays for statements this short.
 */
export const SESSION_OPTIONS = Object.entries({
  TimeZone: 'UTC',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

export interface ConnectionOptions {
  /**
   * `postgresql://user:password@host:port/database?…`. Its query parameters override our settings; timeouts are refused.
   * With several hosts (`one:5432,two:5432`), the one that can write is used.
   */
  readonly url: string;
  /** Maximum number of connections; default 10. */
  readonly poolSize?: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly entities?: NonNullable<DataSourceOptions['entities']>;
  /** Default: the migrations of this program. Tests pass their own. */
  readonly migrations?: readonly MigrationClass[];
  /**
   * For the requests of many users: commits wait for the disk of the primary server alone, not for its standbys
   * ({@link DurableStatements} are for others), and statements wait only a moment for a locked row.
   */
  readonly servesRequests?: boolean;
  /** How long to retry while the database is unavailable, in milliseconds; default 30,000. */
  readonly retryForMs?: number;
}

/**
 * Connects, and waits for a database that is still starting. While the database is unavailable, every statement of the
 * pool fails within 2 s, with an error for which {@link isUnavailable} holds. The pool recovers by itself.
 *
 * @throws {DatabaseError} `DATABASE_UNAVAILABLE` after `retryForMs`; `DATABASE_REFUSED` at once when
 * the database refuses the credentials, the database name or a permission, or the URL is invalid; `DATABASE_TOO_OLD`.
 */
export function connect(options: ConnectionOptions): Promise<DataSource> {
  const { retryForMs = RETRY_FOR_MS } = options;
  return connectWith(typeOrmOptions(options), (each) => new DataSource(each), retryForMs);
}

/** As {@link connect}, with the options of TypeORM. @param create makes the data source of each attempt */
export async function connectWith(
  options: PostgresOptions,
  create: (options: PostgresOptions) => DataSource,
  retryForMs = RETRY_FOR_MS,
): Promise<DataSource> {
  const violation = await urlViolation(options.url ?? '');
  if (violation !== undefined) throw refusedError(`the database URL ${violation}`);
  const deadline = Date.now() + retryForMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await initialise(create(options));
    } catch (error) {
      if (!isUnavailable(error)) throw withoutQuotes(error);
      if (Date.now() >= deadline) {
        throw new DatabaseError('DATABASE_UNAVAILABLE', 'The database is not available.', error);
      }
      const reason = codeOf(error) || reasonOf(error);
      if (attempt === 1) log.warn({ reason }, 'waiting for the database');
      await sleep(RETRY_DELAY_MS);
    }
  }
}

/** The pool of a connected data source, for statements without TypeORM. */
export function poolOf(dataSource: DataSource): Pool {
  return sessionPoolOf(dataSource);
}

/** The same pool, with the options of its sessions. */
export function sessionPoolOf(dataSource: DataSource): SessionPool {
  return (dataSource.driver as PostgresDriver).master as SessionPool;
}

/** A data source like the given one, with a single session and without our timeouts. */
export async function connectWithoutTimeouts(dataSource: DataSource): Promise<DataSource> {
  const options = dataSource.options as PostgresOptions;
  const { hosts } = sessionPoolOf(dataSource).sessionConfig;
  const extra = { ...sessionSettings(), hosts };
  try {
    return await initialise(
      new DataSource({ ...options, poolSize: 1, connectTimeoutMS: 10_000, extra }),
    );
  } catch (error) {
    throw withoutQuotes(error);
  }
}

export type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** The options of TypeORM's data source. */
export function typeOrmOptions(options: ConnectionOptions): PostgresOptions {
  return {
    type: 'postgres',
    driver: { Pool: SessionPool },
    url: options.url,
    applicationName: options.applicationName,
    entities: options.entities ?? [],
    migrations: [...(options.migrations ?? migrations)],
    migrationsTableName: 'schema_migration',
    synchronize: false,
    installExtensions: false,
    poolSize: options.poolSize ?? 10,
    connectTimeoutMS: databaseTimeouts.connect,
    poolErrorHandler: logLostConnection,
    extra: {
      ...sessionSettings(),
      hosts: new DatabaseHosts(options.url),
      ...(options.servesRequests && {
        options: `${SESSION_OPTIONS} -c synchronous_commit=local`,
        lock_timeout: databaseTimeouts.lock,
      }),
      // The pool keeps its connections: a request needs no new one, and so no name server.
      idleTimeoutMillis: 0,
      statement_timeout: databaseTimeouts.serverStatement,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      onConnect: new StatementTimeout(databaseTimeouts.statement).watch,
    },
  };
}

/** A pool that ends does not wait for its sockets: the server may stop before they are closed. */
function logLostConnection(this: Pool, error: unknown): void {
  if (this.ending) return;
  withoutRequest(() => {
    log.warn({ reason: reasonOf(error) }, 'lost an idle database connection');
  });
}

function sessionSettings(): Readonly<Record<string, unknown>> {
  return { keepAlive: true, keepAliveInitialDelayMillis: 10_000, options: SESSION_OPTIONS };
}

/** @param version `14.12`, or for a beta version the whole text of the server */
function refuseOlderPostgres(version: string): void {
  if (!(Number(/\d+/.exec(version)?.[0]) < OLDEST_POSTGRES)) return;
  throw new DatabaseError(
    'DATABASE_TOO_OLD',
    `The database is PostgreSQL ${version}: Tessera needs ${OLDEST_POSTGRES} or newer.`,
  );
}

async function initialise(dataSource: DataSource): Promise<DataSource> {
  try {
    await dataSource.initialize();
    refuseOlderPostgres((dataSource.driver as PostgresDriver).version ?? '');
    return dataSource;
  } catch (error) {
    const pool = (dataSource.driver as PostgresDriver).master as Pool | undefined;
    if (pool !== undefined && !pool.ending) await pool.end();
    throw error;
  }
}
