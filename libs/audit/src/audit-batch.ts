// Audit records of one second as one row of the table `audit_batch`, whose function `audit_batch_events` reads them.
import { randomInt } from 'node:crypto';
import type { AuditRecord } from './audit-event.js';

/** The ids of the records are that of the batch and the following ones. */
const MAX_SIZE = 1_000;
const SECOND_MS = 1_000;
const FIRST_BYTES = 32_768;
const MAX_UTF8_BYTES = 3;
const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d];

/**
 * The memory of written batches is used again, because new memory for each batch costs more than filling it. A busy node
 * fills this many batches between two writes; with fewer, the rest is garbage that only slow collections find.
 */
const MAX_SPARE = 8;
const MAX_SPARE_BYTES = 1_048_576;
const spare: Buffer[] = [];

/** Records become bytes at once, because objects and strings that wait cost more in garbage collection than the encoding. */
export class AuditBatch {
  /** In thousands. No other batch of the second has it, so a batch that is inserted again is recognized. */
  readonly id = 1e14 + randomInt(2 ** 46);
  /** Its start, in milliseconds since 1970. */
  readonly second: number;
  size = 0;
  private bytes = spare.pop() ?? Buffer.allocUnsafeSlow(FIRST_BYTES);
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
      record.session,
      record.clientAddress,
      record.requestId,
      record.details,
    ]);
    // With one byte before the record, and one after the last.
    const room = text.length * MAX_UTF8_BYTES + 2;
    if (this.end + room > this.bytes.length) {
      this.bytes = Buffer.concat([this.bytes], this.bytes.length * 2 + room);
    }
    this.bytes[this.end] = this.size === 0 ? OPEN : COMMA;
    this.end += 1 + this.bytes.write(text, this.end + 1);
    this.size += 1;
  }

  /** A JSON array with an array for each record, in UTF-8. Valid until {@link release}. */
  get events(): Buffer {
    this.bytes[this.end] = CLOSE;
    return this.bytes.subarray(0, this.end + 1);
  }

  /** Gives the memory to later batches. The batch must not be used afterwards. */
  release(): void {
    if (spare.length < MAX_SPARE && this.bytes.length <= MAX_SPARE_BYTES) spare.push(this.bytes);
    this.bytes = Buffer.alloc(0);
  }
}
