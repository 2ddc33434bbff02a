// Creates databases on the test run's PostgreSQL.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import {
  connect,
  type ConnectionOptions,
  DATABASE_TIMEOUTS,
  databaseTimeouts,
  migrate,
} from '@tessera/database';
import { SUITE_URL_VARIABLE } from './suite-server.js';

const TEMPLATE = 'migrated_template';
const TEMPLATE_LOCK = 8_377_102;

// A busy machine is no unavailable database.
const GENEROUS_MS = 20_000;
Object.assign(databaseTimeouts, {
  connect: GENEROUS_MS,
  statement: GENEROUS_MS,
  serverStatement: GENEROUS_MS,
  lock: GENEROUS_MS,
});

/** For specs of a database that hangs: those who wait for it get an error as soon as in production. */
export function useProductionTimeouts(): void {
  Object.assign(databaseTimeouts, DATABASE_TIMEOUTS);
}

export interface TestDatabase {
  readonly url: string;
  readonly dataSource: DataSource;
  /** Closes the data source and removes the database. */
  drop(): Promise<void>;
}

/** Creates a database with all migrations applied. */
export async function createTestDatabase(
  options: Pick<ConnectionOptions, 'entities'> = {},
): Promise<TestDatabase> {
  return copyDatabase(await migratedTemplate(), options);
}

/** Creates an empty database. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await onServer((client) => client.query(`create database ${name}`));
  return { url: urlOf(name), drop: () => dropDatabase(name) };
}

async function copyDatabase(
  template: string,
  options: Pick<ConnectionOptions, 'entities'>,
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Half of the CPU time of the default, which writes every page to the log.
  const copy = `create database ${name} template ${template} strategy file_copy`;
  await onServer((client) => client.query(copy));
  const url = urlOf(name);
  const dataSource = await connect({ url, applicationName: 'test', ...options });
  return {
    url,
    dataSource,
    drop: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
      await dropDatabase(name);
    },
  };
}

/** The first call of the run creates and migrates a template; the other databases are copies of it. */
async function migratedTemplate(): Promise<string> {
  return onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if (!(await exists(client, TEMPLATE))) {
      await client.query(`drop database if exists ${TEMPLATE}_unfinished with (force)`);
      await client.query(`create database ${TEMPLATE}_unfinished`);
      await migrateDatabase(`${TEMPLATE}_unfinished`);
      await client.query(`alter database ${TEMPLATE}_unfinished rename to ${TEMPLATE}`);
    }
    return TEMPLATE;
  });
}

async function migrateDatabase(name: string): Promise<void> {
  const dataSource = await connect({ url: urlOf(name), applicationName: 'test' });
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function exists(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  return rowCount === 1;
}

async function dropDatabase(name: string): Promise<void> {
  await onServer((client) => client.query(`drop database if exists ${name} with (force)`));
}

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = process.env[SUITE_URL_VARIABLE];
  if (url === undefined) throw new Error('The global setup of jest has not started PostgreSQL.');
  return url.replace('/tessera?', `/${database}?`);
}
