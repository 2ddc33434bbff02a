// Supervises the server while this process owns it: restarts it when it dies, and stops it at the end.
import { setTimeout as sleep } from 'node:timers/promises';
import { loggerFor } from '@tessera/logging';
import { reasonOf } from '@tessera/runtime';
import type { Instance } from './instance.js';
import { adoptPostmaster, type Postmaster, startPostmaster, stopPostmaster } from './postmaster.js';
import { rotateLog } from './server-files.js';

const log = loggerFor('database');

/** Backoff between attempts to restart the server; the last delay repeats. */
const RESTART_DELAYS_MS = [0, 100, 500, 2_000, 5_000];
/** A server that ran this long was healthy: its next restart begins with the shortest delay. */
const HEALTHY_MS = 60_000;
const LOG_CHECK_INTERVAL_MS = 60_000;

export class Supervisor {
  private readonly stopping = new AbortController();
  private watching: Promise<void> = Promise.resolve();
  private logCheck: NodeJS.Timeout | undefined;
  private postmaster: Postmaster | undefined;

  constructor(private readonly instance: Instance) {}

  /** Takes over the server that runs on the data, or starts one, and then watches it. */
  async start(): Promise<void> {
    const { data: directory, programs } = this.instance;
    const began = Date.now();
    this.postmaster = await adoptPostmaster(this.instance);
    if (this.postmaster === undefined) {
      this.postmaster = await startPostmaster(this.instance);
      const ms = Date.now() - began;
      log.info({ directory, version: programs.version, ms }, 'started PostgreSQL');
    } else {
      const { pid } = this.postmaster;
      log.info({ directory, pid }, 'took over the PostgreSQL that an earlier process left running');
    }
    this.watching = this.watch(this.postmaster);
    this.logCheck = setInterval(
      () => void rotateLog(this.instance).catch(() => {}),
      LOG_CHECK_INTERVAL_MS,
    );
    this.logCheck.unref();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.logCheck);
    const running = this.postmaster;
    if (running !== undefined) await stopPostmaster(running);
    await this.watching;
    if (running !== undefined) log.info({ directory: this.instance.data }, 'stopped PostgreSQL');
  }

  private async watch(first: Postmaster): Promise<void> {
    let current = first;
    let since = Date.now();
    let deaths = 0;
    for (;;) {
      await current.ended;
      this.postmaster = undefined;
      if (this.stopping.signal.aborted) return;
      deaths = Date.now() - since > HEALTHY_MS ? 0 : deaths;
      log.error({ directory: this.instance.data }, 'PostgreSQL died: starting it again');
      const next = await this.restart(deaths);
      if (next === undefined) return;
      current = next;
      since = Date.now();
      deaths += 1;
    }
  }

  private async restart(deaths: number): Promise<Postmaster | undefined> {
    const { signal } = this.stopping;
    for (let attempt = deaths; !signal.aborted; attempt += 1) {
      const delay = RESTART_DELAYS_MS[Math.min(attempt, RESTART_DELAYS_MS.length - 1)] as number;
      await sleep(delay, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return undefined;
      try {
        const started = await startPostmaster(this.instance);
        if (signal.aborted) {
          await stopPostmaster(started);
          return undefined;
        }
        this.postmaster = started;
        log.info({ pid: started.pid }, 'PostgreSQL runs again');
        return started;
      } catch (error) {
        log.error({ reason: reasonOf(error) }, 'PostgreSQL did not start again');
      }
    }
    return undefined;
  }
}
