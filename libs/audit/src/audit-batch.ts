// Audit records of one second as one row of the table `audit_batch`, whose function `audit_batch_events` reads them.
import { randomInt } from 'node:crypto';
import type { AuditRecord } from './audit-event.js';

/** The ids of the records are that of the batch and the following ones. */
const MAX_SIZE = 1_000;
const SECOND_MS = 1_000;
const FIRST_BYTES = 8_192;
const MAX_UTF8_BYTES = 3;
const COMMA = 0x2c;

/** Records become bytes at once, because objects and strings that wait cost more in garbage collection than the encoding. */
export class AuditBatch {
  /** In thousands. No other batch of the second has it, so a batch that is inserted again is recognized. */
  readonly id = 1e14 + randomInt(2 ** 46);
  /** Its start, in milliseconds since 1970. */
  readonly second: number;
  size = 0;
  private bytes = Buffer.allocUnsafe(FIRST_BYTES);
  private end = 0;

  /** @param first only its time matters */
  constructor({ occurredAt }: AuditRecord) {
    this.second = Math.floor(occurredAt.getTime() / SECOND_MS) * SECOND_MS;
  }

  /** Whether a record is of this second, and there is room for it. */
  accepts({ occurredAt }: AuditRecord): boolean {
    const offset = occurredAt.getTime() - this.second;
    return offset >= 0 && offset < SECOND_MS && this.size < MAX_SIZE;
  }

  add(record: AuditRecord): void {
    const text = JSON.stringify([
      record.occurredAt.getTime() - this.second,
      record.action,
      record.outcome,
      record.reason,
      record.principal,
      record.subject,
      record.service,
      // Its only character that is not ASCII would double the cost of the text.
      record.session?.replace('…', ''),
      record.clientAddress,
      record.requestId,
      record.details,
    ]);
    const room = text.length * MAX_UTF8_BYTES + 1;
    if (this.end + room > this.bytes.length) {
      this.bytes = Buffer.concat([this.bytes], this.bytes.length * 2 + room);
    }
    if (this.size > 0) {
      this.bytes[this.end] = COMMA;
      this.end += 1;
    }
    this.end += this.bytes.write(text, this.end);
    this.size += 1;
  }

  /** A JSON array with an array for each record. */
  get events(): string {
    return `[${this.bytes.toString('utf8', 0, this.end)}]`;
  }
}
