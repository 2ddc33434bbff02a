// One run of the server process: starts it or takes over a running one, waits until it answers, and stops it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseError, isUnavailable, reasonOf } from '@tessera/runtime';
import { clearLeftovers, isPostmaster, runningPostmaster } from './data-directory.js';
import { type Instance, SOCKET_NAME, urlOf } from './instance.js';
import { CLEAN_ENVIRONMENT } from './programs.js';
import { logSize, logTail, openLog, writeServerFiles } from './server-files.js';

const POLL_MS = 10;
const WATCH_INTERVAL_MS = 250;
const SESSION_TIMEOUT_MS = 2_000;
/** Long, because the server may replay a long write-ahead log after a crash. */
const READY_TIMEOUT_MS = 300_000;
/** A running server without a socket for this long will never answer again. */
const SOCKET_TIMEOUT_MS = 1_000;
/** PostgreSQL's error text while processes of a killed server have not ended yet. */
const SHARED_MEMORY_IN_USE = 'pre-existing shared memory block';
const ORPHANS_TIMEOUT_MS = 10_000;
const ORPHANS_POLL_MS = 100;
/** For each signal that stops it, the gentlest first. */
const SHUTDOWN_TIMEOUT_MS = 7_000;

export interface Postmaster {
  readonly pid: number;
  /** Settles when the process has ended. */
  readonly ended: Promise<void>;
}

/**
 * Starts the server and waits until it answers.
 * @throws {DatabaseError} with the end of the server's log
 */
export async function startPostmaster(instance: Instance): Promise<Postmaster> {
  const deadline = Date.now() + ORPHANS_TIMEOUT_MS;
  for (;;) {
    const outcome = await attemptStart(instance);
    if ('pid' in outcome) return outcome;
    if (!outcome.failure.includes(SHARED_MEMORY_IN_USE) || Date.now() > deadline) {
      throw new DatabaseError(
        'EMBEDDED_POSTGRES_FAILED',
        `PostgreSQL did not start on ${instance.data}: ${outcome.failure}`,
      );
    }
    await sleep(ORPHANS_POLL_MS);
  }
}

async function attemptStart(instance: Instance): Promise<Postmaster | { failure: string }> {
  const parameters = await writeServerFiles(instance);
  await clearLeftovers(instance);
  const since = await logSize(instance);
  const postmaster = await spawnPostmaster(instance, parameters);
  let running = true;
  void postmaster.ended.then(() => (running = false));
  const answered = await waitUntilAnswering(instance, READY_TIMEOUT_MS, () => running);
  if (answered) return postmaster;
  if (running) await stopPostmaster(postmaster);
  return { failure: await logTail(instance, since) };
}

/** Takes over a server that already runs on the data; undefined when none runs, or when it could not answer and was stopped. */
export async function adoptPostmaster(instance: Instance): Promise<Postmaster | undefined> {
  const pid = await runningPostmaster(instance);
  if (pid === undefined) return undefined;
  let running = true;
  const ended = waitUntilGone(pid, instance).then(() => void (running = false));
  const postmaster = { pid, ended };
  const isRunning = (): boolean => running;
  if (await waitUntilAnswering(instance, SOCKET_TIMEOUT_MS, isRunning)) return postmaster;
  const hasSocket = (await readdir(instance.socketDirectory)).includes(SOCKET_NAME);
  if (hasSocket && (await waitUntilAnswering(instance, READY_TIMEOUT_MS, isRunning))) {
    return postmaster;
  }
  await stopPostmaster(postmaster);
  return undefined;
}

/** Stops the server: rolls back open transactions and leaves the data clean. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    signal(postmaster.pid, name);
    if (await endsWithin(postmaster, SHUTDOWN_TIMEOUT_MS)) return;
  }
}

async function spawnPostmaster(
  instance: Instance,
  parameters: readonly string[],
): Promise<Postmaster> {
  const log = await openLog(instance);
  const child = spawn(instance.programs.postgres, parameters, {
    cwd: '/',
    env: CLEAN_ENVIRONMENT,
    // A process group of its own, so that Ctrl-C in the terminal does not reach the server before the applications.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...(instance.user === undefined ? {} : { uid: instance.user.uid, gid: instance.user.gid }),
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_FAILED',
      `Could not run ${instance.programs.postgres}: ${reasonOf(error)}`,
      error,
    );
  } finally {
    await log.close();
  }
  child.unref();
  return { pid: child.pid as number, ended };
}

async function waitUntilAnswering(
  instance: Instance,
  timeoutMs: number,
  isRunning: () => boolean,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning() && Date.now() < deadline) {
    if (await answers(instance)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

async function waitUntilGone(pid: number, instance: Instance): Promise<void> {
  while (await isPostmaster(pid, instance)) {
    await sleep(WATCH_INTERVAL_MS, undefined, { ref: false });
  }
}

async function endsWithin(postmaster: Postmaster, timeoutMs: number): Promise<boolean> {
  const timeout = new AbortController();
  const late = sleep(timeoutMs, false, timeout).catch(() => false);
  const ended = await Promise.race([postmaster.ended.then(() => true), late]);
  timeout.abort();
  return ended;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}

/** True when the server answers a statement now. */
async function answers(instance: Instance): Promise<boolean> {
  return succeeds(() => withSession(instance, (session) => session.query('select')));
}

/** True when the server answers and has the database. */
export async function hasDatabase(instance: Instance, name: string): Promise<boolean> {
  return succeeds(() => withSession(instance, (session) => databaseExists(session, name)));
}

/** Creates the database unless it exists. */
export async function createDatabase(instance: Instance, name: string): Promise<void> {
  await withSession(instance, async (session) => {
    if (!(await databaseExists(session, name))) await session.query(`create database ${name}`);
  });
}

async function databaseExists(session: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await session.query('select from pg_database where datname = $1', [name]);
  return rowCount === 1;
}

async function withSession<T>(
  instance: Instance,
  work: (session: pg.Client) => Promise<T>,
): Promise<T> {
  const session = new pg.Client({
    connectionString: urlOf(instance, 'postgres'),
    connectionTimeoutMillis: SESSION_TIMEOUT_MS,
  });
  session.on('error', () => {});
  try {
    await session.connect();
    return await work(session);
  } finally {
    await session.end();
  }
}

/** False for a server that is unreachable, starting or stopping; throws every other error. */
async function succeeds(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await attempt()) !== false;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}
