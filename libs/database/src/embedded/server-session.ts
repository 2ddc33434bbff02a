// Short sessions with the embedded server, for its own upkeep.
import pg from 'pg';
import { isUnavailable } from '../errors.js';
import { type Place, urlOf } from './place.js';

const LIMIT_MS = 2_000;

/** True when the server answers a statement now. */
export async function answers(place: Place): Promise<boolean> {
  return succeeds(() => withSession(place, (session) => session.query('select')));
}

/** True when the server answers and has the database. */
export async function hasDatabase(place: Place, name: string): Promise<boolean> {
  return succeeds(() => withSession(place, (session) => databaseExists(session, name)));
}

/** Makes the database unless it is there. */
export async function createDatabase(place: Place, name: string): Promise<void> {
  await withSession(place, async (session) => {
    if (!(await databaseExists(session, name))) await session.query(`create database ${name}`);
  });
}

async function databaseExists(session: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await session.query('select from pg_database where datname = $1', [name]);
  return rowCount === 1;
}

async function withSession<T>(place: Place, work: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client({
    connectionString: urlOf(place, 'postgres'),
    connectionTimeoutMillis: LIMIT_MS,
  });
  session.on('error', () => {});
  try {
    await session.connect();
    return await work(session);
  } finally {
    await session.end();
  }
}

/** False for a server that is away, starting or stopping; every other fault is thrown. */
async function succeeds(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await attempt()) !== false;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}
