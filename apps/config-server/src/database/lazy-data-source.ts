// Connects in the background, and tries again until the database is available.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { isUnavailable, reasonOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { backoffDelay, DatabaseError } from '@tessera/runtime';

const logger = loggerFor('database');

/** In milliseconds. */
const BACKOFF = { initial: 250, max: 10_000 };
/** The time a caller waits for the first connection. A migration may take longer. */
const WAIT_TIMEOUT_MS = 2_000;

/** Leaves nothing open when it fails. */
export type OpenDataSource = (closing: AbortSignal) => Promise<DataSource>;

export class LazyDataSource {
  private readonly closing = new AbortController();
  private opened: DataSource | undefined;
  private error: unknown = new DatabaseError(
    'DATABASE_UNAVAILABLE',
    'The database is still being opened.',
  );
  /** Resolves when the current attempt has ended, or after {@link WAIT_TIMEOUT_MS}. */
  private attempt: Promise<void> = Promise.resolve();

  /** Starts to connect at once. */
  constructor(private readonly open: OpenDataSource) {
    void this.openWithRetries();
  }

  /** Undefined until it is connected. */
  get current(): DataSource | undefined {
    return this.opened;
  }

  /** Waits 2 s at most for the connection. @throws the error of the last attempt */
  async get(): Promise<DataSource> {
    if (this.opened === undefined) await this.attempt;
    if (this.opened === undefined) throw this.error;
    return this.opened;
  }

  /** Does not wait for a running attempt, which closes what it opens. */
  async close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    this.error = new Error('the database was closed');
    this.closing.abort();
    await opened?.destroy();
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

  /** Once for each reason. An unavailable database is logged by `connect`. */
  private log(error: unknown): void {
    const reason = reasonOf(error);
    const isKnown = isUnavailable(error) || reason === reasonOf(this.error);
    if (isKnown || this.closing.signal.aborted) return;
    logger.warn({ reason }, 'the database cannot be opened');
  }

  private async tryOnce(): Promise<void> {
    try {
      const opened = await this.open(this.closing.signal);
      if (this.closing.signal.aborted) await opened.destroy();
      else this.opened = opened;
    } catch (error) {
      this.log(error);
      this.error = error;
    }
  }
}
