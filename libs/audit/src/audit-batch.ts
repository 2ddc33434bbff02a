// Audit records of one second as one row of the table `audit_batch`, whose function `audit_batch_events` reads them.
import { randomInt } from 'node:crypto';
import type { AuditRecord } from './audit-event.js';

/** The ids of the records are that of the batch and the following ones. */
const MAX_SIZE = 1_000;
const SECOND_MS = 1_000;

/** Records become text at once, because objects that wait cost more in garbage collection than the text. */
export class AuditBatch {
  /** In thousands. No other batch of the second has it, so a batch that is inserted again is recognized. */
  readonly id = 1e14 + randomInt(2 ** 46);
  /** Its start, in milliseconds since 1970. */
  readonly second: number;
  private readonly lines: string[] = [];

  /** @param first only its time matters */
  constructor({ occurredAt }: AuditRecord) {
    this.second = Math.floor(occurredAt.getTime() / SECOND_MS) * SECOND_MS;
  }

  get size(): number {
    return this.lines.length;
  }

  /** Whether a record is of this second, and there is room for it. */
  accepts({ occurredAt }: AuditRecord): boolean {
    const offset = occurredAt.getTime() - this.second;
    return offset >= 0 && offset < SECOND_MS && this.size < MAX_SIZE;
  }

  add(record: AuditRecord): void {
    this.lines.push(
      JSON.stringify([
        record.occurredAt.getTime() - this.second,
        record.action,
        record.outcome,
        record.reason,
        record.principal,
        record.subject,
        record.service,
        record.session,
        record.clientAddress,
        record.requestId,
        record.details,
      ]),
    );
  }

  /** A JSON array with an array for each record. */
  get events(): string {
    return `[${this.lines.join(',\n')}]`;
  }
}
