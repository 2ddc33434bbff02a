// What every connection of the pool gets besides its settings: it never brings the process down, and
// it ends with the first statement that runs out of time.
import type { Client, ClientBase } from 'pg';

/** How much later than its time a statement may be ended. */
const PRECISION_MS = 50;
/** Between two looks hardly more counts: a process that stood still, or a machine, has heard no answer meanwhile. */
const LONGEST_LOOK_MS = 4 * PRECISION_MS;

interface Watched {
  /** The statement under way when last looked at, and for how long it has been seen, in milliseconds. */
  statement?: unknown;
  for: number;
}

/**
 * Ends statements that run longer than they may, by cutting their connection: left alone, the next
 * caller, or the ROLLBACK of the same one, would wait behind them.
 *
 * One clock looks at all connections of a pool, at what the driver says is under way. The driver's
 * own limit, or any wrapper around its `query`, costs each statement a timer or a closure that
 * outlives it: measured, 3.5 KB a request that only the slow part of garbage collection frees.
 */
export class StatementLimit {
  private readonly watched = new Map<ClientBase, Watched>();
  private clock: NodeJS.Timeout | undefined;
  private lookedAt = 0;

  /** @param limit in milliseconds */
  constructor(private readonly limit: number) {}

  /** Prepares a new connection of the pool. */
  readonly guard = (client: ClientBase): void => {
    // Whoever has it at the moment learns of its loss from the statement; without a listener the
    // event alone would end the process.
    client.on('error', () => {});
    client.on('end', () => this.forget(client));
    this.watched.set(client, { for: 0 });
    this.clock ??= setInterval(() => this.endLate(), PRECISION_MS).unref();
  };

  private endLate(): void {
    const now = performance.now();
    const elapsed = Math.min(now - this.lookedAt, LONGEST_LOOK_MS);
    this.lookedAt = now;
    for (const [client, seen] of this.watched) {
      const statement = statementOf(client);
      if (statement === undefined || statement !== seen.statement) {
        seen.statement = statement;
        seen.for = 0;
        continue;
      }
      seen.for += elapsed;
      if (seen.for >= this.limit) {
        this.forget(client);
        // Cuts the connection at once, because a statement is under way.
        (client as Client).end().catch(() => {});
      }
    }
  }

  private forget(client: ClientBase): void {
    this.watched.delete(client);
    if (this.watched.size > 0) return;
    clearInterval(this.clock);
    this.clock = undefined;
  }
}

/** The driver's own field; the specs of lost and hanging databases fail where it has another name. */
function statementOf(client: ClientBase): unknown {
  return '_activeQuery' in client ? (client._activeQuery ?? undefined) : undefined;
}
