// Writes audit records to the database in batches, behind the back of those who report events.
import { isUnavailable } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import type { AuditRecord } from './audit-event.js';
import type { AuditStore } from './audit-store.js';

const log = loggerFor('audit');

/** Records that wait: about ten seconds of a busy node. */
const MAX_WAITING = 20_000;
const BATCH_SIZE = 1_000;
/** The longest that a record waits for others. */
const INTERVAL_MS = 250;
const RETRY_MS = 1_000;
/** At shutdown, for a database that does not answer. */
const STOP_LIMIT_MS = 2_000;

/** Counts since the start. */
export interface AuditWriterStatistics {
  readonly waiting: number;
  readonly written: number;
  readonly lost: number;
}

/**
 * Keeps records in memory until the database has them. While the database is unavailable, the first {@link MAX_WAITING} are
 * kept, and later ones are lost: what was recorded first is what led to the rest.
 */
export class AuditWriter {
  private readonly waiting: AuditRecord[] = [];
  private written = 0;
  private lost = 0;
  /** Records lost since the last line of the log about it. */
  private unreported = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(private readonly store: Pick<AuditStore, 'insert'>) {}

  get statistics(): AuditWriterStatistics {
    const { written, lost } = this;
    return { waiting: this.waiting.length, written, lost };
  }

  /** Never waits and never fails. */
  add(record: AuditRecord): void {
    if (this.waiting.length >= MAX_WAITING) {
      this.lose(1);
      return;
    }
    this.waiting.push(record);
    if (this.writing === undefined) this.writeIn(INTERVAL_MS);
  }

  /** Writes what waits, unless the database takes too long. */
  async stop(): Promise<void> {
    const { promise: limit, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), STOP_LIMIT_MS);
    await Promise.race([this.flush(), limit]);
    clearTimeout(timer);
    clearTimeout(this.timer);
    const lost = this.waiting.length;
    if (lost === 0) return;
    this.lost += lost;
    log.error({ lost }, 'audit events were lost: they could not be written');
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
      // Added since the last look.
      if (this.waiting.length > 0) this.writeIn(INTERVAL_MS);
    });
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    /** 1 after a batch with a record that the database refuses, until the records of that batch are done. */
    let size = BATCH_SIZE;
    let apart = 0;
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, size);
      try {
        await this.store.insert(batch);
        this.written += batch.length;
      } catch (error) {
        if (isUnavailable(error)) {
          this.writeIn(RETRY_MS);
          return;
        }
        if (batch.length > 1) {
          apart = batch.length;
          size = 1;
          continue;
        }
        log.error({ error }, 'an audit event cannot be written');
        this.lose(1);
      }
      this.waiting.splice(0, batch.length);
      apart -= batch.length;
      if (apart <= 0) size = BATCH_SIZE;
      this.report();
    }
  }

  private lose(count: number): void {
    if (this.unreported === 0) log.error({}, 'audit events are being lost');
    this.lost += count;
    this.unreported += count;
  }

  private report(): void {
    if (this.unreported === 0 || this.waiting.length >= MAX_WAITING) return;
    log.error({ lost: this.unreported }, 'audit events were lost');
    this.unreported = 0;
  }
}
