// Records what users, applications and operators do: in PostgreSQL, and in the log. @see docs/audit.md
import type { EntityManager } from 'typeorm';
import { AuditEventEntity } from './audit-event.entity.js';
import type { AuditEvent, AuditSource } from './audit-event.js';
import { isLogged, logRecord } from './audit-log.js';
import { recordOf } from './audit-record.js';
import type { AuditWriter } from './audit-writer.js';

export interface AuditTrailOptions extends AuditSource {
  /** Whether such events are stored. The log has them in any case. */
  readonly isStored: (event: AuditEvent) => boolean;
}

export interface AuditOptions extends AuditTrailOptions {
  /** Milliseconds for which events are kept at least. */
  readonly retention: number;
}

export class AuditTrail {
  constructor(
    private readonly writer: Pick<AuditWriter, 'add'>,
    private readonly options: AuditTrailOptions,
  ) {}

  /** Records an event that has happened. Never waits and never fails: the event is written a moment later. */
  record(event: AuditEvent): void {
    this.keep(event, this.options.isStored(event));
  }

  /** As {@link record}, but stored even if such events are not. For the change that switches the storage off. */
  recordAlways(event: AuditEvent): void {
    this.keep(event, true);
  }

  /**
   * Inserts the event in the transaction of the change: both are committed, or neither. Call {@link log} after the commit,
   * because the transaction may still fail.
   */
  async recordIn(transaction: EntityManager, event: AuditEvent): Promise<void> {
    if (!this.options.isStored(event)) return;
    await insertAuditEvent(transaction, event, this.options);
  }

  /** Logs an event that was recorded in a transaction. */
  log(event: AuditEvent): void {
    if (isLogged(event)) logRecord(recordOf(event, this.options));
  }

  private keep(event: AuditEvent, isStored: boolean): void {
    const toLog = isLogged(event);
    if (!isStored && !toLog) return;
    const record = recordOf(event, this.options);
    if (toLog) logRecord(record);
    if (isStored) this.writer.add(record);
  }
}

/** Inserts an event in a transaction. @param transaction of a data source with {@link AuditEventEntity} */
export async function insertAuditEvent(
  transaction: EntityManager,
  event: AuditEvent,
  source: AuditSource,
): Promise<void> {
  await transaction.insert(AuditEventEntity, recordOf(event, source));
}
