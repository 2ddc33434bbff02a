// Owns when expired tickets are cleared away; the clearing itself is the registry's.
import { loggerFor } from '@tessera/logging';
import type { TicketRegistry } from './ticket-registry.js';

const logger = loggerFor('tickets');

/** Calls the registry's cleaning every `interval` milliseconds, and again at once while there is more to do. */
export class TicketCleaner {
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly registry: Pick<TicketRegistry, 'clean'>,
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
      let removed = 0;
      let report = await this.registry.clean();
      while (report.sessions > 0) {
        removed += report.sessions;
        report =
          this.timer === undefined ? { sessions: 0, rotated: false } : await this.registry.clean();
      }
      if (removed > 0) logger.info({ sessions: removed }, 'expired sessions removed');
    } catch (error) {
      logger.warn({ error }, 'cleaning expired tickets failed; it is tried again');
    }
  }
}
