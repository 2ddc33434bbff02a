// Owns when rows that have expired are removed; which they are, and how, is their store's part.
import type { Logger } from '@tessera/logging';

export interface CleanerOptions {
  /** Removes a bounded batch, and says how many it were; 0 when there is no more to do. */
  readonly removeBatch: () => Promise<number>;
  /** In milliseconds. Whether a row still counts may not depend on it. */
  readonly interval: number;
  /** What the rows are, for the log: `tickets`. */
  readonly rows: string;
  readonly log: Logger;
}

/** Removes batches every `interval` milliseconds, one after the other while there are any; a fault ends none of it. */
export class Cleaner {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> = Promise.resolve();

  constructor(private readonly options: CleanerOptions) {}

  start(): void {
    this.timer ??= setInterval(() => {
      this.underWay = this.underWay.then(() => this.removeAll());
    }, this.options.interval).unref();
  }

  /** Returns when the cleaning under way has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.underWay;
  }

  private async removeAll(): Promise<void> {
    const { removeBatch, rows, log } = this.options;
    try {
      let removed = 0;
      let batch = await removeBatch();
      while (batch > 0) {
        removed += batch;
        batch = this.timer === undefined ? 0 : await removeBatch();
      }
      if (removed > 0) log.info({ removed }, `expired ${rows} removed`);
    } catch (error) {
      log.warn({ error }, `cleaning expired ${rows} failed; it is tried again`);
    }
  }
}
