// Opens the embedded PostgreSQL of development and tests. One process owns the server: it starts and stops it.
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, DatabaseError, type FileLock, reasonOf, tryFileLock } from '@tessera/runtime';
import { prepareDataDirectory } from './data-directory.js';
import { DATABASE, type Instance, prepareInstance, urlOf } from './instance.js';
import { Postmaster } from './postmaster.js';

const LOCK_POLL_MS = 100;
/** Long enough for a command, or for a start that is ending. */
const LOCK_TIMEOUT_MS = 5_000;

export interface EmbeddedPostgres {
  /** The URL of its database `tessera`, without a password. */
  readonly url: string;
  /** Stops the server, unless another process owns it. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly directory: string;
  /** False in tests alone: no fsync, so a crash of the machine loses the data. Default true. */
  readonly durable?: boolean;
  /** Whether to use the server of a process that owns it already. Default false, which is an error then. */
  readonly shared?: boolean;
  /** Gets what a person should know while the server runs. */
  readonly report?: (message: string) => void;
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
 * Starts the PostgreSQL whose data is in `directory`, and creates it where it does not exist. It listens on a Unix socket
 * alone, for the operating-system user who opened it, the user who runs it, and root. Until `stop()` it is restarted when
 * it dies. When this process is killed, it continues to run, until the next process that opens it stops and restarts it.
 *
 * @throws {DatabaseError} `EMBEDDED_POSTGRES_UNSUPPORTED` on a platform without the programs;
 * `EMBEDDED_POSTGRES_FAILED` with PostgreSQL's own error text, or while another process owns it
 */
export async function openEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  try {
    const instance = await prepareInstance(options);
    const url = urlOf(instance, DATABASE);
    const lock = await lockData(instance, options.shared === true);
    if (lock === undefined) return { url, stop: () => Promise.resolve() };
    const postmaster = await own(instance, lock);
    let stopped: Promise<void> | undefined;
    return { url, stop: () => (stopped ??= release(postmaster, lock)) };
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_FAILED',
      `Could not open the PostgreSQL in ${options.directory}: ${reasonOf(error)}`,
      error,
    );
  }
}

/** The kernel releases the lock when this process ends. Undefined where another one owns a server that may be shared. */
async function lockData(instance: Instance, isShared: boolean): Promise<FileLock | undefined> {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const lock = await tryFileLock(`${instance.home}/owner.lock`);
    if (lock !== undefined || isShared) return lock;
    if (Date.now() > deadline) {
      throw new DatabaseError(
        'EMBEDDED_POSTGRES_FAILED',
        `Another process runs the PostgreSQL on ${instance.data}: stop it, or give this one its database, --database.url='${urlOf(instance, DATABASE)}'`,
      );
    }
    await sleep(LOCK_POLL_MS);
  }
}

async function own(instance: Instance, lock: FileLock): Promise<Postmaster> {
  const postmaster = new Postmaster(instance);
  try {
    await prepareDataDirectory(instance);
    await postmaster.start();
    return postmaster;
  } catch (error) {
    await release(postmaster, lock);
    throw error;
  }
}

async function release(postmaster: Postmaster, lock: FileLock): Promise<void> {
  try {
    await postmaster.stop();
  } finally {
    lock.release();
  }
}
