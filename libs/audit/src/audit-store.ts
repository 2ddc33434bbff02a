// The partitioned table `audit_event`: stores batches of events. Creates and removes partitions.
import type { Pool } from 'pg';
import { codeOf } from '@tessera/database';
import type { AuditRecord } from './audit-event.js';

/** SQLSTATE check_violation: PostgreSQL's word for a row without a partition. */
const NO_PARTITION = '23514';

/** The columns that are given as arrays, and the types of their elements. */
const COLUMNS: Readonly<Record<keyof AuditRecord, readonly [name: string, type: string]>> = {
  occurredAt: ['occurred_at', 'timestamptz'],
  action: ['action', 'text'],
  outcome: ['outcome', 'text'],
  reason: ['reason', 'text'],
  principal: ['principal', 'text'],
  subject: ['subject', 'text'],
  service: ['service', 'text'],
  session: ['session', 'text'],
  clientAddress: ['client_address', 'text'],
  requestId: ['request_id', 'text'],
  application: ['application', 'text'],
  node: ['node', 'text'],
  details: ['details', 'jsonb'],
};
const KEYS = Object.keys(COLUMNS) as readonly (keyof AuditRecord)[];
const NAMES = KEYS.map((key) => COLUMNS[key][0]).join(', ');

/** Arrays cost PostgreSQL half of what JSON does. */
const INSERT = `
insert into audit_event (id, ${NAMES})
select $1::bigint + place - 1, ${NAMES}
from unnest(${KEYS.map((key, index) => `$${index + 2}::${COLUMNS[key][1]}[]`).join(', ')})
  with ordinality as batch (${NAMES}, place)
on conflict do nothing`;

export class AuditStore {
  constructor(private readonly pool: Pool) {}

  /**
   * Stores records in one statement. Creates the partitions of their months where they are missing.
   *
   * @param firstId of the first record; those after it have the next ones. An id and a time are unique together, so records
   *   that are inserted again are stored once.
   */
  async insert(records: readonly AuditRecord[], firstId: number): Promise<void> {
    const values = [firstId, ...KEYS.map((key) => records.map((record) => record[key]))];
    try {
      await this.insertOnce(values);
    } catch (error) {
      if (codeOf(error) !== NO_PARTITION) throw error;
      await this.ensurePartitions(records.map(({ occurredAt }) => occurredAt));
      await this.insertOnce(values);
    }
  }

  /** Creates the partitions of these times. */
  async ensurePartitions(times: readonly Date[]): Promise<void> {
    const months = new Set(times.map((time) => time.toISOString().slice(0, 7)));
    for (const month of months) {
      await this.pool.query('select ensure_audit_partition($1)', [`${month}-01T00:00:00Z`]);
    }
  }

  /** Drops the oldest partition if all its records are older. @param retention milliseconds @returns the number of partitions */
  async dropExpired(retention: number): Promise<number> {
    const { rows } = await this.pool.query<{ readonly dropped: boolean }>(
      `select drop_audit_partition($1 * interval '1 millisecond') as dropped`,
      [retention],
    );
    return rows[0]?.dropped ? 1 : 0;
  }

  private async insertOnce(values: unknown[]): Promise<void> {
    await this.pool.query({ name: 'insert-audit-events', text: INSERT, values });
  }
}
