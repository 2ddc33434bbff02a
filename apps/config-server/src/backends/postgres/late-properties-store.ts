// Owns the opening of a store in the background, again and again until its database is there. What opening takes is not known
// here.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PropertiesQuery, PropertiesStore, PropertyRow } from './properties-store.js';

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
/** As long as callers wait for any database; migrations may take longer. */
const PATIENCE = 2_000;

export interface OpenStore {
  readonly store: Pick<PropertiesStore, 'find'>;
  close(): Promise<void>;
}

/** Leaves nothing behind where it fails. */
export type Opening = (closing: AbortSignal) => Promise<OpenStore>;

export class LatePropertiesStore implements Pick<PropertiesStore, 'find'> {
  private readonly closing = new AbortController();
  private opened: OpenStore | undefined;
  private fault: unknown = new Error('it is still being opened');
  /** Resolves once the attempt under way has ended, or has taken too long to be waited for. */
  private attempt: Promise<void> = Promise.resolve();

  /** Begins to open at once. */
  constructor(private readonly open: Opening) {
    void this.keepTrying();
  }

  /** Waits 2 s at most for the store. Throws what the last attempt to open it threw. */
  async find(query: PropertiesQuery): Promise<readonly PropertyRow[]> {
    if (this.opened === undefined) await this.attempt;
    if (this.opened === undefined) throw this.fault;
    return this.opened.store.find(query);
  }

  /** Waits for no attempt: what comes of it yet is closed then. */
  async close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    this.fault = new Error('it was closed');
    this.closing.abort();
    await opened?.close();
  }

  private async keepTrying(): Promise<void> {
    const { signal } = this.closing;
    for (let failures = 1; !signal.aborted; failures += 1) {
      const trying = this.tryOnce();
      this.attempt = Promise.race([trying, sleep(PATIENCE, undefined, { ref: false })]);
      await trying;
      if (this.opened !== undefined) return;
      await sleep(pauseAfter(failures), undefined, { signal, ref: false }).catch(() => {});
    }
  }

  private async tryOnce(): Promise<void> {
    try {
      const opened = await this.open(this.closing.signal);
      if (this.closing.signal.aborted) await opened.close();
      else this.opened = opened;
    } catch (error) {
      this.fault = error;
    }
  }
}

/** Milliseconds from the end of an attempt to the next. */
export function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE);
}
