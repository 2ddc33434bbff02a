// Finds audit records, the newest first.
import type { DataSource } from 'typeorm';
import { withUnlimitedSession } from '@tessera/database';
import { withoutQuery } from '@tessera/logging';
import type { AuditOutcome, AuditRecord } from './audit-event.js';

/** What to look for; all conditions must hold. */
export interface AuditQuery {
  /** The principal or the subject. */
  readonly user?: string | undefined;
  /** The start of the URL. Its query does not matter, because it is not recorded. */
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

const COLUMNS = `id, occurred_at, action, outcome, reason, principal, subject, service, session, client_address, request_id,
  application, node, details`;
/** PostgreSQL plans for the given values, so a condition without a value costs nothing. */
const CONDITIONS = `($2::text is null or $2 in (principal, subject))
  and ($3::text is null or starts_with(service, $3))
  and ($4::text is null or action = $4)
  and ($5::text is null or outcome = $5)
  and ($6::timestamptz is null or occurred_at >= $6)
  and ($7::timestamptz is null or occurred_at < $7)
  and ($8::timestamptz is null or (occurred_at, id) < ($8, $9::bigint))`;
/** Whether a batch may have such an event. Finding a text in it costs much less than reading its events. */
const BATCH_CONDITIONS = `($2::text is null or strpos(events::text, $10) > 0)
  and ($3::text is null or strpos(events::text, $11) > 0)
  and ($4::text is null or strpos(events::text, $12) > 0)
  and ($5::text is null or strpos(events::text, $13) > 0)
  and ($6::timestamptz is null or second > $6::timestamptz - interval '1 second')
  and ($7::timestamptz is null or second < $7)
  and ($8::timestamptz is null or second <= $8)`;
/** In characters. PostgreSQL compares up to so many of them at each place of the text. */
const MAX_NEEDLE = 32;
/** Batches are read one second after the other, until there are enough events. */
const SEARCH = `
select id, occurred_at as "occurredAt", action, outcome, reason, principal, subject, service, session,
  client_address as "clientAddress", request_id as "requestId", application, node, details
from (
  (select ${COLUMNS} from audit_event where ${CONDITIONS} order by occurred_at desc, id desc limit $1)
  union all
  (
    select ${COLUMNS} from (
      select second, application, node, event.*
      from (select * from audit_batch where ${BATCH_CONDITIONS}) batch, audit_batch_events(batch) event
    ) event
    where ${CONDITIONS} order by second desc, occurred_at desc, id desc limit $1
  )
) found
order by occurred_at desc, id desc limit $1`;

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
    const conditions = [user, url, action, outcome, since, until];
    const position = [before?.occurredAt, before?.id];
    const texts = [
      JSON.stringify(user),
      JSON.stringify(url)?.slice(0, -1),
      JSON.stringify(action),
      JSON.stringify(outcome),
    ].map(needleOf);
    const values = [...conditions, ...position, ...texts].map((value) => value ?? null);
    return (await this.run(SEARCH, [limit, ...values])) as readonly StoredAuditRecord[];
  }
}

/** The start of a text that a batch with such an event contains. @param text as JSON */
function needleOf(text: string | undefined): string | undefined {
  const start = text?.slice(0, MAX_NEEDLE);
  // Half a surrogate pair is no character of the text.
  return start?.isWellFormed() === false ? start.slice(0, -1) : start;
}
