// Writes audit records to the database in batches, behind the back of those who report events.
import { isUnavailable } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { EventChannel } from '@tessera/runtime';
import { AuditBatch } from './audit-batch.js';
import type { AuditRecord } from './audit-event.js';
import type { AuditStore } from './audit-store.js';
import { RefusedEvents } from './refused-events.js';

const log = loggerFor('audit');

/** Records that wait: about two seconds of a busy node. */
const MAX_WAITING = 20_000;
/** The longest that a record waits for others. */
const INTERVAL_MS = 250;
const RETRY_MS = 1_000;
/** At shutdown, for a database that does not answer. */
const STOP_LIMIT_MS = 2_000;

/** What the writing tells those who count. */
export type AuditWriterEvent = {
  readonly events: number;
  /** Events that wait for the database, afterwards. */
  readonly waiting: number;
} & (
  | { readonly type: 'written'; /** Of the statement. */ readonly milliseconds: number }
  /** `postponed`: the database is unavailable, so these events wait. */
  | { readonly type: 'lost' | 'postponed' }
);

const writes = new EventChannel<AuditWriterEvent>('tessera:audit-writes');

/**
 * Keeps records in memory until the database has them. While the database is unavailable, the first {@link MAX_WAITING} are
 * kept, and later ones are lost: what was recorded first is what led to the rest.
 */
export class AuditWriter {
  /** The oldest first. */
  private readonly batches: AuditBatch[] = [];
  /** The last batch, until it is written. */
  private open: AuditBatch | undefined;
  private waiting = 0;
  private readonly refused = new RefusedEvents();
  /** Records lost since the last line of the log about it. */
  private unreported = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(private readonly store: Pick<AuditStore, 'insert'>) {}

  /** Never waits and never fails. Of very many refused events the number is written, in the place of each. */
  add(record: AuditRecord): void {
    if (!this.refused.count(record)) this.keep(record);
    if (this.writing === undefined) this.writeIn(INTERVAL_MS);
  }

  private keep(record: AuditRecord): void {
    if (this.waiting >= MAX_WAITING) {
      this.lose(1);
      return;
    }
    if (!this.open?.accepts(record)) {
      this.open = new AuditBatch(record);
      this.batches.push(this.open);
    }
    this.open.add(record);
    this.waiting += 1;
  }

  /** Writes what waits, unless the database takes too long. */
  async stop(): Promise<void> {
    const { promise: limit, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), STOP_LIMIT_MS);
    await Promise.race([this.writeRest(), limit]);
    clearTimeout(timer);
    clearTimeout(this.timer);
    const lost = this.waiting;
    if (lost === 0) return;
    writes.publish({ type: 'lost', events: lost, waiting: 0 });
    log.error({ lost }, 'audit events were lost: they could not be written');
  }

  private async writeRest(): Promise<void> {
    await this.writing;
    this.keepCounts(Infinity);
    await this.flush();
  }

  private keepCounts(before: number): void {
    for (const record of this.refused.take(before)) this.keep(record);
  }

  private writeIn(delay: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, delay).unref();
  }

  private flush(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
      // Added during the write.
      if (this.batches.length > 0 || !this.refused.isEmpty) this.writeIn(INTERVAL_MS);
    });
    return this.writing;
  }

  /** Writes the batches of this moment. Later records wait for the next time, so that their batch is as large. */
  private async writeAll(): Promise<void> {
    this.keepCounts(Date.now());
    this.open = undefined;
    for (const batch of this.batches.slice()) {
      const started = performance.now();
      try {
        await this.store.insert(batch);
        this.remove(batch);
        batch.release();
        const milliseconds = performance.now() - started;
        writes.publish({
          type: 'written',
          events: batch.size,
          waiting: this.waiting,
          milliseconds,
        });
      } catch (error) {
        if (isUnavailable(error)) {
          writes.publish({ type: 'postponed', events: batch.size, waiting: this.waiting });
          this.writeIn(RETRY_MS);
          return;
        }
        log.error({ error }, 'audit events cannot be written');
        this.remove(batch);
        this.lose(batch.size);
      }
      this.report();
    }
  }

  private remove(oldest: AuditBatch): void {
    this.batches.shift();
    this.waiting -= oldest.size;
  }

  private lose(count: number): void {
    if (this.unreported === 0) log.error({}, 'audit events are being lost');
    this.unreported += count;
    writes.publish({ type: 'lost', events: count, waiting: this.waiting });
  }

  private report(): void {
    if (this.unreported === 0 || this.waiting >= MAX_WAITING) return;
    log.error({ lost: this.unreported }, 'audit events were lost');
    this.unreported = 0;
  }
}
