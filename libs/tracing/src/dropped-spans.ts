// Counts the spans that are lost, and logs them at most once a minute.
import { loggerFor, withoutRequest } from '@tessera/logging';
import { EventChannel } from '@tessera/runtime';

const log = loggerFor('tracing');

const LOG_INTERVAL_MS = 60_000;

export interface DroppedSpansEvent {
  /** `queue-full`: too many waited for the receiver; `export-failed`: it did not take them; `shutdown`: too late. */
  readonly reason: 'queue-full' | 'export-failed' | 'shutdown';
  readonly spans: number;
}

export const droppedSpansEvents = new EventChannel<DroppedSpansEvent>('tessera:dropped-spans');

export class DroppedSpans {
  private unlogged = 0;
  private loggedAt = Number.NEGATIVE_INFINITY;
  private cause: string | undefined;

  /** @param clock monotonic, in milliseconds */
  constructor(private readonly clock: () => number = () => performance.now()) {}

  add(event: DroppedSpansEvent, error?: unknown): void {
    droppedSpansEvents.publish(event);
    this.unlogged += event.spans;
    this.cause = error === undefined ? event.reason : causeOf(error);
    if (this.clock() - this.loggedAt >= LOG_INTERVAL_MS) this.log();
  }

  /** Logs those that no line has counted. */
  log(): void {
    const { unlogged: spans, cause } = this;
    if (spans === 0) return;
    this.unlogged = 0;
    this.loggedAt = this.clock();
    withoutRequest(() => log.warn({ spans, cause }, 'spans of traces were lost'));
  }
}

/** Without the body of an answer. */
function causeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `${code} ${message}`.trim();
}
