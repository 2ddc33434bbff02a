// Opens the embedded PostgreSQL of development and tests. One process owns the server, starts and stops it. Other processes
// attach to it, and one of them becomes the owner when the owner ends.
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loggerFor } from '@tessera/logging';
import { codeOf, DatabaseError, type FileLock, reasonOf, tryFileLock } from '@tessera/runtime';
import { prepareDataDirectory } from './data-directory.js';
import { type Instance, prepareInstance, urlOf } from './instance.js';
import { createDatabase, hasDatabase } from './postmaster.js';
import { Supervisor } from './supervisor.js';

const log = loggerFor('database');

const DATABASE = 'tessera';
const ATTACH_POLL_MS = 50;
/** Long enough for the owner to initialise the data on a slow machine. */
const ATTACH_TIMEOUT_MS = 60_000;
const TAKEOVER_POLL_MS = 500;

export interface EmbeddedPostgres {
  /** The URL of its database `tessera`, also for `database.url` of another process. */
  readonly url: string;
  /** Stops the server when this process owns it; otherwise only detaches. */
  stop(): Promise<void>;
}

/**
 * Whether there is a PostgreSQL whose data is in `directory`.
 *
 * @throws {DatabaseError} `EMBEDDED_POSTGRES_FAILED` where this user may not know
 */
export async function hasEmbeddedPostgres(directory: string): Promise<boolean> {
  try {
    await stat(join(directory, 'data', 'PG_VERSION'));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_FAILED',
      `The PostgreSQL in ${resolve(directory)} belongs to another user (${codeOf(error)}): run this as the user who started it.`,
    );
  }
}

/**
 * Opens the PostgreSQL whose data is in `directory`, and creates it where it does not exist. It listens on a Unix socket
 * alone, for the operating-system user who opened it, the user who runs it, and root. Until `stop()` it is restarted when
 * it dies. When this process is killed, it continues to run, and the next process that opens it takes it over.
 *
 * @throws {DatabaseError} `EMBEDDED_POSTGRES_UNSUPPORTED` on a platform without the programs;
 * `EMBEDDED_POSTGRES_FAILED` with PostgreSQL's own error text
 */
export async function openEmbeddedPostgres(options: {
  readonly directory: string;
  /** False in tests alone: no fsync, so a crash of the machine loses the data. Default true. */
  readonly durable?: boolean;
}): Promise<EmbeddedPostgres> {
  try {
    return await open(await prepareInstance(options.directory, options.durable ?? true));
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_FAILED',
      `Could not open the PostgreSQL in ${options.directory}: ${reasonOf(error)}`,
      error,
    );
  }
}

async function open(instance: Instance): Promise<EmbeddedPostgres> {
  const url = urlOf(instance, DATABASE);
  const deadline = Date.now() + ATTACH_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const lock = await tryFileLock(`${instance.home}/owner.lock`);
    if (lock !== undefined) {
      const supervisor = await own(instance, lock);
      return { url, stop: once(() => release(supervisor, lock)) };
    }
    if (await hasDatabase(instance, DATABASE)) {
      log.info({ directory: instance.data }, 'attached to the PostgreSQL of another process');
      return { url, stop: once(takeOverLater(instance)) };
    }
    await sleep(ATTACH_POLL_MS);
  }
  throw new DatabaseError(
    'EMBEDDED_POSTGRES_FAILED',
    `Another process owns the PostgreSQL on ${instance.data}, and it does not answer.`,
  );
}

async function own(instance: Instance, lock: FileLock): Promise<Supervisor> {
  const supervisor = new Supervisor(instance);
  try {
    await prepareDataDirectory(instance);
    await supervisor.start();
    await createDatabase(instance, DATABASE);
    return supervisor;
  } catch (error) {
    await supervisor.stop();
    lock.release();
    throw error;
  }
}

async function release(supervisor: Supervisor, lock: FileLock): Promise<void> {
  try {
    await supervisor.stop();
  } finally {
    lock.release();
  }
}

/** Takes over the server when its owner ends, so that the end of the owner is a short interruption. */
function takeOverLater(instance: Instance): () => Promise<void> {
  const detaching = new AbortController();
  const takenOver = (async () => {
    while (!detaching.signal.aborted) {
      const lock = await tryFileLock(`${instance.home}/owner.lock`);
      if (lock !== undefined) return { lock, supervisor: await own(instance, lock) };
      await sleep(TAKEOVER_POLL_MS, undefined, { signal: detaching.signal, ref: false }).catch(
        () => {},
      );
    }
    return undefined;
  })().catch((error: unknown) => {
    log.error({ reason: reasonOf(error) }, 'could not take over PostgreSQL from its owner');
    return undefined;
  });
  return async () => {
    detaching.abort();
    const owned = await takenOver;
    if (owned !== undefined) await release(owned.supervisor, owned.lock);
  };
}

/** Further calls return the promise of the first. */
function once(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stop());
}
