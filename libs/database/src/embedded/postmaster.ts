// One run of the server process: starting it, taking over one that runs, waiting until it answers,
// stopping it. Starting it again when it dies is the supervisor's work.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, reasonOf } from '../errors.js';
import { CLEAN_ENVIRONMENT } from './command.js';
import { clearLeftovers } from './leftovers.js';
import { type Place, SOCKET_NAME } from './place.js';
import { isPostmaster, runningPostmaster } from './postmaster-record.js';
import { lastWords, logSize, openLog, writeServerFiles } from './server-files.js';
import { answers } from './server-session.js';

const POLL_MS = 10;
const WATCH_MS = 250;
/** Replaying a long log after a crash takes its time; a server that does is no failure. */
const READY_LIMIT_MS = 300_000;
/** A server that is there but has no socket this long will answer nobody any more. */
const SOCKET_LIMIT_MS = 1_000;
/** The processes of a server that was killed need a moment to end. */
const SHARED_MEMORY_IN_USE = 'pre-existing shared memory block';
const ORPHANS_LIMIT_MS = 10_000;
const ORPHANS_PAUSE_MS = 100;
/** Of each of the ways to stop it, gentle to rough. */
const SHUTDOWN_LIMIT_MS = 7_000;

export interface Postmaster {
  readonly pid: number;
  /** Settles when the process has ended. */
  readonly ended: Promise<void>;
}

/**
 * Starts the server and waits until it answers.
 * @throws {DatabaseError} with the server's last words
 */
export async function startPostmaster(place: Place): Promise<Postmaster> {
  const deadline = Date.now() + ORPHANS_LIMIT_MS;
  for (;;) {
    const outcome = await attemptStart(place);
    if ('pid' in outcome) return outcome;
    if (!outcome.lastWords.includes(SHARED_MEMORY_IN_USE) || Date.now() > deadline) {
      throw new DatabaseError(
        'EMBEDDED_POSTGRES_FAILED',
        `PostgreSQL did not start on ${place.data}: ${outcome.lastWords}`,
      );
    }
    await sleep(ORPHANS_PAUSE_MS);
  }
}

async function attemptStart(place: Place): Promise<Postmaster | { lastWords: string }> {
  const parameters = await writeServerFiles(place);
  await clearLeftovers(place);
  const since = await logSize(place);
  const postmaster = await spawnPostmaster(place, parameters);
  let running = true;
  void postmaster.ended.then(() => (running = false));
  const answered = await untilAnswering(place, READY_LIMIT_MS, () => running);
  if (answered) return postmaster;
  if (running) await stopPostmaster(postmaster);
  return { lastWords: await lastWords(place, since) };
}

/** Takes over a server that already runs on the data; undefined when there is none to take over. */
export async function adoptPostmaster(place: Place): Promise<Postmaster | undefined> {
  const pid = await runningPostmaster(place);
  if (pid === undefined) return undefined;
  let running = true;
  const ended = untilGone(pid, place).then(() => void (running = false));
  const postmaster = { pid, ended };
  const isRunning = (): boolean => running;
  if (await untilAnswering(place, SOCKET_LIMIT_MS, isRunning)) return postmaster;
  const hasSocket = (await readdir(place.socketDirectory)).includes(SOCKET_NAME);
  if (hasSocket && (await untilAnswering(place, READY_LIMIT_MS, isRunning))) return postmaster;
  await stopPostmaster(postmaster);
  return undefined;
}

/** Ends the server: open transactions roll back, the data is left clean. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    signal(postmaster.pid, name);
    if (await endsWithin(postmaster, SHUTDOWN_LIMIT_MS)) return;
  }
}

async function spawnPostmaster(place: Place, parameters: readonly string[]): Promise<Postmaster> {
  const log = await openLog(place);
  const child = spawn(place.binaries.postgres, parameters, {
    cwd: '/',
    env: CLEAN_ENVIRONMENT,
    // A process group of its own: Ctrl-C in the terminal must reach the applications first.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...(place.user === undefined ? {} : { uid: place.user.uid, gid: place.user.gid }),
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_FAILED',
      `Could not run ${place.binaries.postgres}: ${reasonOf(error)}`,
      error,
    );
  } finally {
    await log.close();
  }
  child.unref();
  return { pid: child.pid as number, ended };
}

async function untilAnswering(
  place: Place,
  limitMs: number,
  isRunning: () => boolean,
): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (isRunning() && Date.now() < deadline) {
    if (await answers(place)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

async function untilGone(pid: number, place: Place): Promise<void> {
  while (await isPostmaster(pid, place)) await sleep(WATCH_MS, undefined, { ref: false });
}

async function endsWithin(postmaster: Postmaster, limitMs: number): Promise<boolean> {
  const patience = new AbortController();
  const late = sleep(limitMs, false, patience).catch(() => false);
  const ended = await Promise.race([postmaster.ended.then(() => true), late]);
  patience.abort();
  return ended;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended in this moment.
  }
}
