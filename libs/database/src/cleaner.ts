// Removes expired rows at an interval.
import type { Logger } from '@tessera/logging';

export interface CleanerOptions {
  /** Removes one bounded batch and returns the number of rows; 0 when none is left. */
  readonly removeBatch: () => Promise<number>;
  /** In milliseconds. Rows must expire without the cleaner: it only frees their space. */
  readonly interval: number;
  /** What the rows are, for the log: `tickets`. */
  readonly rows: string;
  readonly log: Logger;
}

/** Every `interval` milliseconds, removes batches until none is left. After an error it continues at the next interval. */
export class Cleaner {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: CleanerOptions) {}

  start(): void {
    this.timer ??= setInterval(() => {
      this.running = this.running.then(() => this.removeAll());
    }, this.options.interval).unref();
  }

  /** Returns when the current run has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.running;
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
