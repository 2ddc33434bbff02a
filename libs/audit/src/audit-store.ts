// The partitioned table `audit_event`: stores batches of events. Creates and removes partitions.
import type { Pool } from 'pg';
import { codeOf } from '@tessera/database';
import type { AuditRecord } from './audit-event.js';

/** SQLSTATE check_violation: PostgreSQL's word for a row without a partition. */
const NO_PARTITION = '23514';

/** A record with its id. Together with its time it is unique, so a record that is inserted again is stored once. */
export interface IdentifiedAuditRecord extends AuditRecord {
  readonly id: number;
}

const INSERT = `
insert into audit_event (id, occurred_at, action, outcome, reason, principal, subject, service, session, client_address,
  request_id, application, node, details)
select id, "occurredAt", action, outcome, reason, principal, subject, service, session, "clientAddress",
  "requestId", application, node, details
from json_to_recordset($1) as record (id bigint, "occurredAt" timestamptz, action text, outcome text, reason text,
  principal text, subject text, service text, session text, "clientAddress" text, "requestId" text, application text,
  node text, details jsonb)
on conflict do nothing`;

export class AuditStore {
  constructor(private readonly pool: Pool) {}

  /** Stores records in one statement. Creates the partitions of their months where they are missing. */
  async insert(records: readonly IdentifiedAuditRecord[]): Promise<void> {
    const json = JSON.stringify(records);
    try {
      await this.insertOnce(json);
    } catch (error) {
      if (codeOf(error) !== NO_PARTITION) throw error;
      await this.ensurePartitions(records.map(({ occurredAt }) => occurredAt));
      await this.insertOnce(json);
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

  private async insertOnce(json: string): Promise<void> {
    await this.pool.query({ name: 'insert-audit-events', text: INSERT, values: [json] });
  }
}
