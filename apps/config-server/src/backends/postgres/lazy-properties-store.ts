// Opens the properties store in the background, and tries again until the database is available.
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffDelay } from '@tessera/runtime';
import type { PropertiesQuery, PropertiesStore, PropertyRow } from './properties-store.js';

/** In milliseconds. */
const BACKOFF = { initial: 250, max: 10_000 };
/** The time a caller waits for the first connection. A migration may take longer. */
const WAIT_TIMEOUT_MS = 2_000;

export interface OpenStore {
  readonly store: Pick<PropertiesStore, 'find'>;
  close(): Promise<void>;
}

/** Leaves nothing open when it fails. */
export type OpenStoreFunction = (closing: AbortSignal) => Promise<OpenStore>;

export class LazyPropertiesStore implements Pick<PropertiesStore, 'find'> {
  private readonly closing = new AbortController();
  private opened: OpenStore | undefined;
  private error: unknown = new Error('the properties store is still being opened');
  /** Resolves when the current attempt has ended, or after {@link WAIT_TIMEOUT_MS}. */
  private attempt: Promise<void> = Promise.resolve();

  /** Starts to open the store at once. */
  constructor(private readonly open: OpenStoreFunction) {
    void this.openWithRetries();
  }

  /** Waits 2 s at most for the store. @throws the error of the last attempt to open it */
  async find(query: PropertiesQuery): Promise<readonly PropertyRow[]> {
    if (this.opened === undefined) await this.attempt;
    if (this.opened === undefined) throw this.error;
    return this.opened.store.find(query);
  }

  /** Does not wait for a running attempt, which closes the store that it opens. */
  async close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    this.error = new Error('the properties store was closed');
    this.closing.abort();
    await opened?.close();
  }

  private async openWithRetries(): Promise<void> {
    const { signal } = this.closing;
    for (let failures = 1; !signal.aborted; failures += 1) {
      const attempt = this.tryOnce();
      this.attempt = Promise.race([attempt, sleep(WAIT_TIMEOUT_MS, undefined, { ref: false })]);
      await attempt;
      if (this.opened !== undefined) return;
      const delay = backoffDelay(failures, BACKOFF);
      await sleep(delay, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  private async tryOnce(): Promise<void> {
    try {
      const opened = await this.open(this.closing.signal);
      if (this.closing.signal.aborted) await opened.close();
      else this.opened = opened;
    } catch (error) {
      this.error = error;
    }
  }
}
