// The table `audit_event`: stores batches of records, finds them, and creates and removes partitions.
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { codeOf, withUnlimitedSession } from '@tessera/database';
import type { AuditOutcome, AuditRecord } from './audit-event.js';

/** SQLSTATE check_violation: PostgreSQL's word for a row without a partition. */
const NO_PARTITION = '23514';

const INSERT = `
insert into audit_event (occurred_at, action, outcome, reason, principal, subject, service, session, client_address,
  request_id, application, node, details)
select * from unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
  $9::text[], $10::text[], $11::text[], $12::text[], $13::jsonb[])`;

export class AuditStore {
  constructor(private readonly pool: Pool) {}

  /** Stores all records, or none. Creates partitions for their months where they are missing. */
  async insert(records: readonly AuditRecord[]): Promise<void> {
    try {
      await this.insertOnce(records);
    } catch (error) {
      if (codeOf(error) !== NO_PARTITION) throw error;
      await this.ensurePartitions(records.map(({ occurredAt }) => occurredAt));
      await this.insertOnce(records);
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

  private async insertOnce(records: readonly AuditRecord[]): Promise<void> {
    await this.pool.query({
      name: 'insert-audit-events',
      text: INSERT,
      values: [
        records.map(({ occurredAt }) => occurredAt.toISOString()),
        records.map(({ action }) => action),
        records.map(({ outcome }) => outcome),
        records.map(({ reason }) => reason),
        records.map(({ principal }) => principal),
        records.map(({ subject }) => subject),
        records.map(({ service }) => service),
        records.map(({ session }) => session),
        records.map(({ clientAddress }) => clientAddress),
        records.map(({ requestId }) => requestId),
        records.map(({ application }) => application),
        records.map(({ node }) => node),
        records.map(({ details }) => details && JSON.stringify(details)),
      ],
    });
  }
}

/** What to look for; all conditions must hold. */
export interface AuditQuery {
  readonly principal?: string | undefined;
  /** The start of the URL. */
  readonly service?: string | undefined;
  readonly action?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}

/** The place of a record in the order of time. */
export interface AuditPosition {
  readonly occurredAt: Date;
  readonly id: string;
}

/** A stored record. */
export interface StoredAuditRecord extends AuditRecord, AuditPosition {}

/** Runs a statement. @returns its rows */
export type RunQuery = (text: string, values: unknown[]) => Promise<unknown>;

export class AuditSearch {
  /** @param run without a short time limit: a search for something rare reads all records of its time */
  constructor(private readonly run: RunQuery) {}

  /**
   * A search with a session of its own for each query, outside the pool, which ends statements after a second.
   * @param milliseconds how long a query may take
   */
  static within(dataSource: DataSource, milliseconds: number): AuditSearch {
    return new AuditSearch((text, values) =>
      withUnlimitedSession(dataSource, async (session) => {
        await session.query(`set statement_timeout = ${milliseconds}`);
        return session.query(text, values) as Promise<unknown>;
      }),
    );
  }

  /** The newest records before a position, the newest first. @param limit at most so many */
  async find(
    { principal, service, action, outcome, since, until }: AuditQuery,
    limit: number,
    before?: AuditPosition,
  ): Promise<readonly StoredAuditRecord[]> {
    const values: unknown[] = [limit];
    const where = (condition: string, ...parameters: unknown[]): string => {
      let number = values.length;
      values.push(...parameters);
      return condition.replaceAll('?', () => `$${(number += 1)}`);
    };
    const conditions = [
      principal !== undefined && where('principal = ?', principal),
      service !== undefined && where('starts_with(service, ?)', service),
      action !== undefined && where('action = ?', action),
      outcome !== undefined && where('outcome = ?', outcome),
      since && where('occurred_at >= ?', since),
      until && where('occurred_at < ?', until),
      before && where('(occurred_at, id) < (?, ?)', before.occurredAt, before.id),
    ].filter(Boolean);
    const rows = await this.run(
      `select id, occurred_at as "occurredAt", action, outcome, reason, principal, subject, service, session,
         client_address as "clientAddress", request_id as "requestId", application, node, details
       from audit_event ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
       order by occurred_at desc, id desc limit $1`,
      values,
    );
    return rows as readonly StoredAuditRecord[];
  }
}
