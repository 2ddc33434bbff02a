// A statement timeout on the client side: cuts the connection of a statement that runs too long.
import type { Client, ClientBase } from 'pg';

/** A statement is ended at most this late. */
const CHECK_INTERVAL_MS = 50;
/** The longest time that one interval counts: a process or machine that was suspended could not receive the answer. */
const MAX_COUNTED_MS = 4 * CHECK_INTERVAL_MS;

interface Watched {
  /** The running statement at the last check, and how long it has been seen running. */
  statement?: unknown;
  elapsedMs: number;
}

/**
 * Ends overdue statements by cutting their connection. Otherwise the next caller, or the ROLLBACK of the same one, would
 * wait behind them.
 *
 * One timer checks the running statement of every connection of a pool. The driver's own timeout, or a wrapper around
 * its `query`, costs each statement a timer or a closure that outlives it: measured, 3.5 KB a request, which only a full
 * garbage collection frees.
 */
export class StatementTimeout {
  private readonly watched = new Map<ClientBase, Watched>();
  private timer: NodeJS.Timeout | undefined;
  private lastCheck = 0;

  /** @param timeoutMs of each statement, in milliseconds */
  constructor(private readonly timeoutMs: number) {}

  /** Watches a new connection of the pool. */
  readonly watch = (client: ClientBase): void => {
    // The running statement reports the loss of the connection. An `error` event without a listener would end the process.
    client.on('error', () => {});
    client.on('end', () => this.unwatch(client));
    this.watched.set(client, { elapsedMs: 0 });
    this.timer ??= setInterval(() => this.endOverdue(), CHECK_INTERVAL_MS).unref();
  };

  private endOverdue(): void {
    const now = performance.now();
    const elapsed = Math.min(now - this.lastCheck, MAX_COUNTED_MS);
    this.lastCheck = now;
    for (const [client, entry] of this.watched) {
      const statement = statementOf(client);
      if (statement === undefined || statement !== entry.statement) {
        entry.statement = statement;
        entry.elapsedMs = 0;
        continue;
      }
      entry.elapsedMs += elapsed;
      if (entry.elapsedMs >= this.timeoutMs) {
        this.unwatch(client);
        // Cuts the connection at once, because a statement is under way.
        (client as Client).end().catch(() => {});
      }
    }
  }

  private unwatch(client: ClientBase): void {
    this.watched.delete(client);
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** A private field of the driver. The specs of lost and hanging databases fail if it gets another name. */
function statementOf(client: ClientBase): unknown {
  return '_activeQuery' in client ? (client._activeQuery ?? undefined) : undefined;
}
