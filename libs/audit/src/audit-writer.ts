// Writes audit records to the database in batches, behind the back of those who report events.
import { randomInt } from 'node:crypto';
import { isUnavailable } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { EventChannel } from '@tessera/runtime';
import type { AuditRecord } from './audit-event.js';
import type { AuditStore } from './audit-store.js';
import { RefusedEvents } from './refused-events.js';

const log = loggerFor('audit');

/** Records that wait: about two seconds of a busy node. */
const MAX_WAITING = 20_000;
/** Records of one statement. */
const MAX_BATCH = 1_000;
/** Ids from here on are given by writers, those below by the sequence of the table. */
const FIRST_ID = 2 ** 52;
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
  /** Waiting, the oldest first. */
  private readonly records: AuditRecord[] = [];
  /**
   * The id of the oldest record that waits. A random start, so that no other process gives the same id to an event of the same
   * millisecond.
   */
  private firstId = FIRST_ID + randomInt(2 ** 47);
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
    if (this.records.length >= MAX_WAITING) {
      this.lose(1);
      return;
    }
    this.records.push(record);
  }

  /** Writes what waits, unless the database takes too long. */
  async stop(): Promise<void> {
    const { promise: limit, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), STOP_LIMIT_MS);
    await Promise.race([this.writeRest(), limit]);
    clearTimeout(timer);
    clearTimeout(this.timer);
    const lost = this.records.length;
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
      if (this.records.length > 0 || !this.refused.isEmpty) this.writeIn(INTERVAL_MS);
    });
    return this.writing;
  }

  /** Writes the records of this moment. Later ones wait for the next time, so that their batch is as large. */
  private async writeAll(): Promise<void> {
    this.keepCounts(Date.now());
    for (let left = this.records.length; left > 0; left -= MAX_BATCH) {
      const batch = this.records.slice(0, Math.min(left, MAX_BATCH));
      if (!(await this.write(batch))) return;
      this.report();
    }
  }

  /** @returns false where the database is unavailable, so that the batch waits */
  private async write(batch: readonly AuditRecord[]): Promise<boolean> {
    const started = performance.now();
    const events = batch.length;
    try {
      await this.store.insert(batch, this.firstId);
      this.remove(events);
      const milliseconds = performance.now() - started;
      writes.publish({ type: 'written', events, waiting: this.records.length, milliseconds });
    } catch (error) {
      if (isUnavailable(error)) {
        writes.publish({ type: 'postponed', events, waiting: this.records.length });
        this.writeIn(RETRY_MS);
        return false;
      }
      log.error({ error }, 'audit events cannot be written');
      this.remove(events);
      this.lose(events);
    }
    return true;
  }

  private remove(count: number): void {
    this.records.splice(0, count);
    this.firstId += count;
  }

  private lose(count: number): void {
    if (this.unreported === 0) log.error({}, 'audit events are being lost');
    this.unreported += count;
    writes.publish({ type: 'lost', events: count, waiting: this.records.length });
  }

  private report(): void {
    if (this.unreported === 0 || this.records.length >= MAX_WAITING) return;
    log.error({ lost: this.unreported }, 'audit events were lost');
    this.unreported = 0;
  }
}
