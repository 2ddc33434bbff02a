// Counts failures in PostgreSQL, in the table `authentication_failure`.
import type { Pool } from 'pg';
import type { FailureCount, FailureStore, Limit } from './failure-store.js';

interface FailureCountRow extends FailureCount {
  readonly key: string;
}

const COLUMNS = `encode(key, 'hex') as key, failures,
  extract(epoch from expires_at - now())::float8 * 1000 as remaining`;

const FIND = `select ${COLUMNS} from authentication_failure
  where key in ($1::bytea, $2::bytea) and expires_at > now()`;

/** The more widely shared key comes first, so that concurrent statements cannot deadlock. */
const ADD = `
insert into authentication_failure as known (key, failures, expires_at)
  values ($1::bytea, 1, now() + $5::float8 * interval '1 millisecond'),
         ($2::bytea, 1, now() + $5::float8 * interval '1 millisecond')
  on conflict (key) do update set
    failures = case when known.expires_at <= now() then 1 else known.failures + 1 end,
    expires_at = case
      when known.expires_at <= now() then excluded.expires_at
      when known.failures + 1 = case known.key when $1::bytea then $3::int else $4::int end
        then excluded.expires_at
      else known.expires_at end
  returning ${COLUMNS}`;

/** Repeats the predicate of the partial index on expiry; otherwise the planner does not use it. */
const REMOVE_EXPIRED = `
delete from authentication_failure where key = any (array(
  select key from authentication_failure
  where expires_at <= now() and expires_at < 'infinity'
  order by expires_at limit $1 for update skip locked))`;

const NONE: FailureCount = { failures: 0, remaining: 0 };

/** Shared by all nodes; expiry uses the clock of the database. */
export class PostgresFailureStore implements FailureStore {
  constructor(private readonly pool: Pool) {}

  /** Runs one statement, without a write. */
  async find(first: string, second: string): Promise<readonly [FailureCount, FailureCount]> {
    const { rows } = await this.pool.query<FailureCountRow>({
      name: 'find-authentication-failures',
      text: FIND,
      values: [`\\x${first}`, `\\x${second}`],
    });
    return [countOf(rows, first), countOf(rows, second)];
  }

  /** Runs one statement. */
  async add(
    first: Limit,
    second: Limit,
    window: number,
  ): Promise<readonly [FailureCount, FailureCount]> {
    const { rows } = await this.pool.query<FailureCountRow>({
      name: 'add-authentication-failures',
      text: ADD,
      values: [`\\x${first.key}`, `\\x${second.key}`, first.threshold, second.threshold, window],
    });
    return [countOf(rows, first.key), countOf(rows, second.key)];
  }

  /** Removes at most `limit` rows whose window has ended, and returns their number. Safe to run on several nodes at once. */
  async removeExpired(limit: number): Promise<number> {
    const { rowCount } = await this.pool.query(REMOVE_EXPIRED, [limit]);
    return rowCount ?? 0;
  }
}

function countOf(rows: readonly FailureCountRow[], key: string): FailureCount {
  const row = rows.find((each) => each.key === key);
  return row === undefined ? NONE : { failures: row.failures, remaining: row.remaining };
}
