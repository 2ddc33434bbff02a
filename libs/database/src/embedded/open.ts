// Opens the PostgreSQL that development and tests run on. One process owns it, starts and stops it;
// others that open the same directory attach, and one of them follows when the owner goes.
import { setTimeout as sleep } from 'node:timers/promises';
import { loggerFor } from '@tessera/logging';
import { DatabaseError, reasonOf } from '../errors.js';
import { prepareCluster } from './cluster.js';
import { type OwnerLock, tryOwnerLock } from './owner-lock.js';
import { type Place, preparePlace, urlOf } from './place.js';
import { createDatabase, hasDatabase } from './server-session.js';
import { Supervisor } from './supervisor.js';

const log = loggerFor('database');

const DATABASE = 'tessera';
const ATTACH_POLL_MS = 50;
/** Long enough for the owner to initialise the data on a slow machine. */
const ATTACH_LIMIT_MS = 60_000;
const SUCCESSION_POLL_MS = 500;

export interface EmbeddedPostgres {
  /** Of the database `tessera` on it; also good as `database.url` of another process. */
  readonly url: string;
  /** Ends the server when this process owns it; otherwise only lets go of it. */
  stop(): Promise<void>;
}

/**
 * Opens the PostgreSQL whose data lives in `directory`, which is made when it is not there. Only a
 * Unix socket leads to it, and only for the operating-system user who opened it, the one who runs it,
 * and root. Until `stop()` it is started again when it dies; when this process is killed it runs on,
 * and the next to open it takes it over.
 *
 * @throws {DatabaseError} `EMBEDDED_POSTGRES_UNSUPPORTED` on a platform without the programs;
 * `EMBEDDED_POSTGRES_FAILED` with PostgreSQL's own last words
 */
export async function openEmbeddedPostgres(options: {
  readonly directory: string;
  /** False in tests alone: nothing waits for the disk, and a crash of the machine loses all. */
  readonly durable?: boolean;
}): Promise<EmbeddedPostgres> {
  try {
    return await open(await preparePlace(options.directory, options.durable ?? true));
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_FAILED',
      `Could not open the PostgreSQL in ${options.directory}: ${reasonOf(error)}`,
      error,
    );
  }
}

async function open(place: Place): Promise<EmbeddedPostgres> {
  const url = urlOf(place, DATABASE);
  const deadline = Date.now() + ATTACH_LIMIT_MS;
  while (Date.now() < deadline) {
    const lock = tryOwnerLock(`${place.home}/owner.lock`);
    if (lock !== undefined) {
      const supervisor = await own(place, lock);
      return { url, stop: once(() => release(supervisor, lock)) };
    }
    if (await hasDatabase(place, DATABASE)) {
      log.info({ directory: place.data }, 'attached to the PostgreSQL of another process');
      return { url, stop: once(awaitSuccession(place)) };
    }
    await sleep(ATTACH_POLL_MS);
  }
  throw new DatabaseError(
    'EMBEDDED_POSTGRES_FAILED',
    `Another process owns the PostgreSQL on ${place.data}, and it does not answer.`,
  );
}

async function own(place: Place, lock: OwnerLock): Promise<Supervisor> {
  const supervisor = new Supervisor(place);
  try {
    await prepareCluster(place);
    await supervisor.start();
    await createDatabase(place, DATABASE);
    return supervisor;
  } catch (error) {
    await supervisor.stop();
    lock.release();
    throw error;
  }
}

async function release(supervisor: Supervisor, lock: OwnerLock): Promise<void> {
  try {
    await supervisor.stop();
  } finally {
    lock.release();
  }
}

/** Follows an owner that ends, so that its end is a short interruption for us. */
function awaitSuccession(place: Place): () => Promise<void> {
  const leaving = new AbortController();
  const succeeded = (async () => {
    while (!leaving.signal.aborted) {
      const lock = tryOwnerLock(`${place.home}/owner.lock`);
      if (lock !== undefined) return { lock, supervisor: await own(place, lock) };
      await sleep(SUCCESSION_POLL_MS, undefined, { signal: leaving.signal, ref: false }).catch(
        () => {},
      );
    }
    return undefined;
  })().catch((error: unknown) => {
    log.error({ reason: reasonOf(error) }, 'could not take over PostgreSQL from its owner');
    return undefined;
  });
  return async () => {
    leaving.abort();
    const mine = await succeeded;
    if (mine !== undefined) await release(mine.supervisor, mine.lock);
  };
}

/** Every further call is the first one. */
function once(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stop());
}
