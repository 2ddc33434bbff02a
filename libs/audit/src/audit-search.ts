// Finds audit records, the newest first.
import type { DataSource } from 'typeorm';
import { withUnlimitedSession } from '@tessera/database';
import { withoutQuery } from '@tessera/logging';
import type { AuditOutcome, AuditRecord } from './audit-event.js';

/** What to look for; all conditions must hold. */
export interface AuditQuery {
  /** The principal or the subject. */
  readonly user?: string | undefined;
  /** The start of the URL; an empty one is no condition. Its query does not matter, because it is not recorded. */
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

const COLUMNS = `id, occurred_at as "occurredAt", action, outcome, reason, principal, subject, service, session,
  client_address as "clientAddress", request_id as "requestId", application, node, details`;
const ORDER = 'order by occurred_at desc, id desc limit $1';

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
    { user, service, action, outcome, since, until }: AuditQuery,
    limit: number,
    before?: AuditPosition,
  ): Promise<readonly StoredAuditRecord[]> {
    const url = service && withoutQuery(service);
    const values: unknown[] = [limit];
    const parameter = (value: unknown): string => `$${values.push(value)}`;
    const conditions = [
      url && `starts_with(service, ${parameter(url)})`,
      action && `action = ${parameter(action)}`,
      outcome && `outcome = ${parameter(outcome)}`,
      since && `occurred_at >= ${parameter(since)}`,
      until && `occurred_at < ${parameter(until)}`,
      before &&
        `(occurred_at, id) < (${parameter(before.occurredAt)}, ${parameter(before.id)}::bigint)`,
    ].filter((condition): condition is string => Boolean(condition));
    const text = user === undefined ? select(conditions) : ofUser(parameter(user), conditions);
    return (await this.run(text, values)) as readonly StoredAuditRecord[];
  }
}

function select(conditions: readonly string[]): string {
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  return `select ${COLUMNS} from audit_event ${where} ${ORDER}`;
}

/** Each column has its index, and an index gives the order of time. */
function ofUser(user: string, conditions: readonly string[]): string {
  const [acting, affected] = ['principal', 'subject'].map((column) =>
    select([`${column} = ${user}`, ...conditions]),
  );
  return `(${acting}) union (${affected}) order by "occurredAt" desc, id desc limit $1`;
}
