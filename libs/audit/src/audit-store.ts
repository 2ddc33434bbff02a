// The table `audit_batch`: stores batches of events. Creates and removes partitions of the audit trail.
import type { Pool } from 'pg';
import { codeOf } from '@tessera/database';
import type { AuditBatch } from './audit-batch.js';
import type { AuditSource } from './audit-event.js';

/** SQLSTATE check_violation: PostgreSQL's word for a row without a partition. */
const NO_PARTITION = '23514';

/** A batch that was inserted before, but not answered, is there already. */
const INSERT = `
insert into audit_batch (second, id, application, node, events) values ($1, $2::bigint * 1000, $3, $4, $5)
on conflict do nothing`;

export class AuditStore {
  constructor(
    private readonly pool: Pool,
    private readonly source: AuditSource,
  ) {}

  /** Stores a batch. Creates the partition of its month where it is missing. */
  async insert(batch: AuditBatch): Promise<void> {
    try {
      await this.insertOnce(batch);
    } catch (error) {
      if (codeOf(error) !== NO_PARTITION) throw error;
      await this.ensurePartitions([new Date(batch.second)]);
      await this.insertOnce(batch);
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

  private async insertOnce({ id, second, events }: AuditBatch): Promise<void> {
    await this.pool.query({
      name: 'insert-audit-batch',
      text: INSERT,
      values: [new Date(second), id, this.source.application, this.source.node, events],
    });
  }
}
