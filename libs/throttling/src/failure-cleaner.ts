// Owns when counts of windows that have ended are cleared away; the clearing itself is the store's.
import { loggerFor } from '@tessera/logging';
import type { FailureStore } from './failure-store.js';

const log = loggerFor('throttling');

/** Rows removed by one statement. */
const BATCH = 1_000;

/** Clears every `interval` milliseconds, batch by batch. Whether a count still holds does not depend on it. */
export class FailureCleaner {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Pick<FailureStore, 'removeExpired'>,
    private readonly interval: number,
  ) {}

  start(): void {
    this.timer ??= setInterval(() => {
      this.underWay = this.underWay.then(() => this.cleanAll());
    }, this.interval).unref();
  }

  /** Returns when the cleaning under way has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.underWay;
  }

  private async cleanAll(): Promise<void> {
    try {
      let removed = BATCH;
      while (removed === BATCH && this.timer !== undefined) {
        removed = await this.store.removeExpired(BATCH);
      }
    } catch (error) {
      log.warn({ error }, 'cleaning counts of failed logins failed; it is tried again');
    }
  }
}
