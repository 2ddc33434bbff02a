// The failures in PostgreSQL: the only code that touches the table `authentication_failure`.
import type { Pool } from 'pg';
import type { Counted, Failures, Tally } from './failures.js';

interface TallyRow extends Tally {
  readonly key: string;
}

const COLUMNS = `encode(key, 'hex') as key, failures,
  extract(epoch from expires_at - now())::float8 * 1000 as remaining`;

const FIND = `select ${COLUMNS} from authentication_failure
  where key in ($1::bytea, $2::bytea) and expires_at > now()`;

/** The key that more share comes first, so that two statements never wait for each other. */
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

/** It names the predicate of the index on expiry, which only so is used. */
const REMOVE_EXPIRED = `
delete from authentication_failure where key = any (array(
  select key from authentication_failure
  where expires_at <= now() and expires_at < 'infinity'
  order by expires_at limit $1 for update skip locked))`;

const NONE: Tally = { failures: 0, remaining: 0 };

/** Shared by all nodes. Expiry goes by the database's clock. */
export class FailureStore implements Failures {
  constructor(private readonly pool: Pool) {}

  /** One statement, and no write. */
  async find(first: string, second: string): Promise<readonly [Tally, Tally]> {
    const { rows } = await this.pool.query<TallyRow>({
      name: 'find-authentication-failures',
      text: FIND,
      values: [`\\x${first}`, `\\x${second}`],
    });
    return [tallyOf(rows, first), tallyOf(rows, second)];
  }

  /** One statement. */
  async add(first: Counted, second: Counted, window: number): Promise<readonly [Tally, Tally]> {
    const { rows } = await this.pool.query<TallyRow>({
      name: 'add-authentication-failures',
      text: ADD,
      values: [`\\x${first.key}`, `\\x${second.key}`, first.threshold, second.threshold, window],
    });
    return [tallyOf(rows, first.key), tallyOf(rows, second.key)];
  }

  /** Removes at most `limit` rows whose window has ended; how many it were. Any number of nodes may do so at once. */
  async removeExpired(limit: number): Promise<number> {
    const { rowCount } = await this.pool.query(REMOVE_EXPIRED, [limit]);
    return rowCount ?? 0;
  }
}

function tallyOf(rows: readonly TallyRow[], key: string): Tally {
  const row = rows.find((each) => each.key === key);
  return row === undefined ? NONE : { failures: row.failures, remaining: row.remaining };
}
