// The server process: starts it, waits until it answers, restarts it when it dies, and stops it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { codeOf, DatabaseError, isUnavailable, reasonOf } from '@tessera/runtime';
import { clearLeftovers, isPostmaster, runningPostmaster } from './data-directory.js';
import { DATABASE, type Instance, urlOf } from './instance.js';
import { CLEAN_ENVIRONMENT } from './programs.js';
import { logSize, logTail, openLog, writeServerFiles } from './server-files.js';

const POLL_MS = 10;
const SESSION_TIMEOUT_MS = 2_000;
/** Long, because the server may replay a long write-ahead log after a crash. */
const READY_TIMEOUT_MS = 300_000;
/** PostgreSQL's error text while processes of a killed server have not ended yet. */
const SHARED_MEMORY_IN_USE = 'pre-existing shared memory block';
const ORPHANS_TIMEOUT_MS = 10_000;
const RESTART_DELAY_MS = 500;
/** For each signal that stops it, the gentlest first. */
const SHUTDOWN_TIMEOUT_MS = 7_000;

/** The server of one data directory, whose lock the caller holds. */
export class Postmaster {
  private readonly stopping = new AbortController();
  private restarted: Promise<void> = Promise.resolve();
  private child: ChildProcess | undefined;

  constructor(private readonly instance: Instance) {}

  /**
   * Starts the server, after stopping one that a killed owner left running, and restarts it until `stop()` when it dies.
   *
   * @throws {DatabaseError} with the end of the server's log
   */
  async start(): Promise<void> {
    const left = await runningPostmaster(this.instance);
    if (left !== undefined) await end(left, this.instance);
    await this.launch();
  }

  /** Rolls back open transactions and leaves the data clean. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.restarted;
    await this.endChild();
  }

  private async endChild(): Promise<void> {
    if (this.child?.pid !== undefined) await end(this.child.pid, this.instance);
  }

  private async launch(): Promise<void> {
    const { data } = this.instance;
    const deadline = Date.now() + ORPHANS_TIMEOUT_MS;
    for (;;) {
      const failure = await this.attempt();
      if (failure === undefined) return;
      const isOver = Date.now() > deadline || this.stopping.signal.aborted;
      if (isOver || !failure.includes(SHARED_MEMORY_IN_USE)) {
        const message = `PostgreSQL did not start on ${data}: ${failure}`;
        throw new DatabaseError('EMBEDDED_POSTGRES_FAILED', message);
      }
      await sleep(POLL_MS);
    }
  }

  /** @returns undefined, or the end of the server's log */
  private async attempt(): Promise<string | undefined> {
    await this.endChild();
    const parameters = await writeServerFiles(this.instance);
    await clearLeftovers(this.instance);
    const since = await logSize(this.instance);
    const child = await spawnServer(this.instance, parameters);
    this.child = child;
    if (await becomesReady(this.instance, child)) {
      child.once('exit', () => {
        this.restarted = this.restart();
      });
      return undefined;
    }
    return logTail(this.instance, since);
  }

  private async restart(): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    this.instance.report('PostgreSQL ended, and is started again');
    while (!signal.aborted) {
      await sleep(RESTART_DELAY_MS, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      try {
        return await this.launch();
      } catch (error) {
        this.instance.report(reasonOf(error));
      }
    }
  }
}

async function spawnServer(
  instance: Instance,
  parameters: readonly string[],
): Promise<ChildProcess> {
  const log = await openLog(instance);
  const child = spawn(instance.programs.postgres, parameters, {
    cwd: '/',
    env: CLEAN_ENVIRONMENT,
    // A process group of its own, so that Ctrl-C in the terminal does not reach the server before the applications.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...(instance.user === undefined ? {} : { uid: instance.user.uid, gid: instance.user.gid }),
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    const message = `Could not run ${instance.programs.postgres}: ${reasonOf(error)}`;
    throw new DatabaseError('EMBEDDED_POSTGRES_FAILED', message, error);
  } finally {
    await log.close();
  }
  child.unref();
  return child;
}

/** Waits until the server has the database; false when it ends before. */
async function becomesReady(instance: Instance, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  while (isRunning() && Date.now() < deadline) {
    if (await hasDatabase(instance)) return isRunning();
    await sleep(POLL_MS);
  }
  return false;
}

/** Creates the database unless it exists. False for a server that is starting or stopping. */
async function hasDatabase(instance: Instance): Promise<boolean> {
  const session = new pg.Client({
    connectionString: urlOf(instance, 'postgres'),
    connectionTimeoutMillis: SESSION_TIMEOUT_MS,
  });
  session.on('error', () => {});
  try {
    await session.connect();
    const found = await session.query('select from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await session.query(`create database ${DATABASE}`);
    return true;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  } finally {
    await session.end();
  }
}

/** Stops the server, whether this process has started it or an earlier one. */
async function end(pid: number, instance: Instance): Promise<void> {
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const deadline = Date.now() + SHUTDOWN_TIMEOUT_MS;
    if (!(await isPostmaster(pid, instance))) return;
    sendSignal(pid, name);
    while (Date.now() < deadline && (await isPostmaster(pid, instance))) await sleep(POLL_MS);
  }
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has just ended.
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
