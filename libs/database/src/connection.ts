// The connection to PostgreSQL: pool, time limits, session settings. Which tables there are is the
// business of the migrations and of the libraries that own them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { urlFault } from '@tessera/database-url';
import { loggerFor, withoutRequestId } from '@tessera/logging';
import { codeOf, DatabaseError, isUnavailable, reasonOf } from './errors.js';
import { LoginPool } from './login-pool.js';
import { migrations, type MigrationClass } from './migrations/index.js';
import { refusal, withoutQuotes } from './connection-errors.js';
import { StatementLimit } from './statement-limit.js';

const log = loggerFor('database');

/** Together below 2 s: that is how long a caller waits at most for a database that is away. */
const CONNECT_LIMIT_MS = 900;
const STATEMENT_LIMIT_MS = 1_000;
/** The server's own limit, above ours: it ends what we have stopped waiting for. */
const SERVER_STATEMENT_LIMIT_MS = 1_500;
const IDLE_IN_TRANSACTION_LIMIT_MS = 10_000;
const RETRY_PAUSE_MS = 250;

/**
 * Plans are made once for look-ups by key, and must not depend on how small a table was then: a scan chosen for an empty
 * table would stay until the next statistics, while sessions come in by the thousand. Our statements are short, so
 * compiling them never pays.
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
  /** `postgresql://user:password@host:port/database?…`; what its query says wins over our settings, limits of time apart. */
  readonly url: string;
  /** Connections at most; 10 unless told. */
  readonly poolSize?: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly entities?: NonNullable<DataSourceOptions['entities']>;
  /** The migrations of this program, unless a test brings its own. */
  readonly migrations?: readonly MigrationClass[];
  /** How long to try again while the database is not there yet, in milliseconds; 30,000 unless told. */
  readonly retryForMs?: number;
}

/**
 * Connects, and waits for a database that is still starting. Every statement of the pool fails
 * within 2 s when the database is away, with an error {@link isUnavailable} knows, and the pool
 * recovers by itself.
 *
 * @throws {DatabaseError} `DATABASE_UNAVAILABLE` after `retryForMs`; `DATABASE_REFUSED` at once when
 * the database answered no (password, database name, permission), or the URL cannot be used.
 */
export async function connect(options: ConnectionOptions): Promise<DataSource> {
  const fault = await urlFault(options.url);
  if (fault !== undefined) throw refusal(`the database URL ${fault}`);
  const deadline = Date.now() + (options.retryForMs ?? 30_000);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await initialise(poolOptions(options));
    } catch (error) {
      if (!isUnavailable(error)) throw withoutQuotes(error);
      if (Date.now() >= deadline) {
        throw new DatabaseError('DATABASE_UNAVAILABLE', 'The database is not available.', error);
      }
      const reason = codeOf(error) || reasonOf(error);
      if (attempt === 1) log.warn({ reason }, 'waiting for the database');
      await sleep(RETRY_PAUSE_MS);
    }
  }
}

/** The pool below a connected data source, for the statements that go without TypeORM. */
export function poolOf(dataSource: DataSource): Pool {
  return loginPoolOf(dataSource);
}

/** The same, for whoever may change its login. */
export function loginPoolOf(dataSource: DataSource): LoginPool {
  return (dataSource.driver as PostgresDriver).master as LoginPool;
}

/** A data source like the given one with a single session and without time limits of its own. */
export async function connectWithoutLimits(dataSource: DataSource): Promise<DataSource> {
  const options = dataSource.options as PostgresOptions;
  const url = poolOf(dataSource).options.connectionString ?? '';
  const limits = { poolSize: 1, connectTimeoutMS: 10_000, extra: sessionSettings() };
  try {
    return await initialise({ ...options, url, ...limits });
  } catch (error) {
    throw withoutQuotes(error);
  }
}

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

function poolOptions(options: ConnectionOptions): PostgresOptions {
  return {
    type: 'postgres',
    driver: { Pool: LoginPool },
    url: options.url,
    applicationName: options.applicationName,
    entities: options.entities ?? [],
    migrations: [...(options.migrations ?? migrations)],
    migrationsTableName: 'schema_migration',
    synchronize: false,
    installExtensions: false,
    poolSize: options.poolSize ?? 10,
    connectTimeoutMS: CONNECT_LIMIT_MS,
    poolErrorHandler: (error: unknown) =>
      withoutRequestId(() => {
        log.warn({ reason: reasonOf(error) }, 'lost an idle database connection');
      }),
    extra: {
      ...sessionSettings(),
      statement_timeout: SERVER_STATEMENT_LIMIT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_LIMIT_MS,
      onConnect: new StatementLimit(STATEMENT_LIMIT_MS).guard,
    },
  };
}

function sessionSettings(): Readonly<Record<string, unknown>> {
  return { keepAlive: true, keepAliveInitialDelayMillis: 10_000, options: SESSION_OPTIONS };
}

async function initialise(options: PostgresOptions): Promise<DataSource> {
  const dataSource = new DataSource(options);
  try {
    return await dataSource.initialize();
  } catch (error) {
    const pool = (dataSource.driver as PostgresDriver).master as Pool | undefined;
    if (pool !== undefined && !pool.ending) await pool.end();
    throw error;
  }
}
