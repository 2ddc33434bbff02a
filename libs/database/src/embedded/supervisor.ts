// Keeps the server running for as long as this process owns it: starts it again when it dies, and
// stops it at the end.
import { setTimeout as sleep } from 'node:timers/promises';
import { loggerFor } from '@tessera/logging';
import { reasonOf } from '../errors.js';
import type { Place } from './place.js';
import { adoptPostmaster, type Postmaster, startPostmaster, stopPostmaster } from './postmaster.js';
import { boundLog } from './server-files.js';

const log = loggerFor('database');

/** Pauses between attempts to start a server that died; the last one goes on. */
const PAUSES_MS = [0, 100, 500, 2_000, 5_000];
/** A server that ran this long was healthy, and its next death starts with the shortest pause. */
const HEALTHY_MS = 60_000;
const LOG_CHECK_MS = 60_000;

export class Supervisor {
  private readonly stopping = new AbortController();
  private watching: Promise<void> = Promise.resolve();
  private logCheck: NodeJS.Timeout | undefined;
  private postmaster: Postmaster | undefined;

  constructor(private readonly place: Place) {}

  /** Takes over the server that runs on the data, or starts one, and watches it from then on. */
  async start(): Promise<void> {
    const { data: directory, binaries } = this.place;
    const began = Date.now();
    this.postmaster = await adoptPostmaster(this.place);
    if (this.postmaster === undefined) {
      this.postmaster = await startPostmaster(this.place);
      const ms = Date.now() - began;
      log.info({ directory, version: binaries.version, ms }, 'started PostgreSQL');
    } else {
      const { pid } = this.postmaster;
      log.info({ directory, pid }, 'took over the PostgreSQL that an earlier process left running');
    }
    this.watching = this.watch(this.postmaster);
    this.logCheck = setInterval(() => void boundLog(this.place).catch(() => {}), LOG_CHECK_MS);
    this.logCheck.unref();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.logCheck);
    const running = this.postmaster;
    if (running !== undefined) await stopPostmaster(running);
    await this.watching;
    if (running !== undefined) log.info({ directory: this.place.data }, 'stopped PostgreSQL');
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
      log.error({ directory: this.place.data }, 'PostgreSQL died: starting it again');
      const next = await this.startAgain(deaths);
      if (next === undefined) return;
      current = next;
      since = Date.now();
      deaths += 1;
    }
  }

  private async startAgain(deaths: number): Promise<Postmaster | undefined> {
    const { signal } = this.stopping;
    for (let attempt = deaths; !signal.aborted; attempt += 1) {
      const pause = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] as number;
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return undefined;
      try {
        const started = await startPostmaster(this.place);
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
