// Counts failures in PostgreSQL, in the table `authentication_failure`.
import type { Pool } from 'pg';
import type { FailureStore, Limits, Reservation, Windows } from './failure-store.js';

const WINDOW_END = `now() + $5::float8 * interval '1 millisecond'`;
const THRESHOLD = 'case key when $1::bytea then $3::int else $4::int end';

/**
 * Reads first, without a row lock: a caller that finds a threshold reached writes nothing. Two statements may read the
 * last place of a key at the same time. Each then sees its own total, and the later one gives its reservation back.
 *
 * All statements lock the row of the address first, so that they cannot deadlock.
 */
const RESERVE = `
with found as (
  select failures, reserved, ${THRESHOLD} as threshold,
    extract(epoch from expires_at - now())::float8 * 1000 as remaining
  from authentication_failure
  where key in ($1::bytea, $2::bytea) and expires_at > now()
), reservation as (
  insert into authentication_failure as known (key, failures, reserved, expires_at)
    select key, 0, 1, ${WINDOW_END} from (values ($1::bytea), ($2::bytea)) keys (key)
    where not exists (select from found where failures + reserved >= threshold)
    on conflict (key) do update set
      failures = case when known.expires_at <= now() then 0 else known.failures end,
      reserved = case when known.expires_at <= now() then 1 else known.reserved + 1 end,
      opened_at = case when known.expires_at <= now() then excluded.opened_at else known.opened_at end,
      expires_at = case when known.expires_at <= now() then excluded.expires_at
        else known.expires_at end
    returning key, opened_at::text, failures + reserved <= ${THRESHOLD} as has_place
)
select (select opened_at from reservation where key = $1::bytea) as "addressWindow",
  (select opened_at from reservation where key = $2::bytea) as "nameWindow",
  (select bool_and(has_place) from reservation) as "hasPlace",
  (select coalesce(max(remaining), 0) from found where failures >= threshold) as "blockedFor"`;

const SETTLE = `
insert into authentication_failure as known (key, failures, reserved, expires_at)
  values ($1::bytea, $6::int, 0, ${WINDOW_END}), ($2::bytea, $6::int, 0, ${WINDOW_END})
  on conflict (key) do update set
    failures = case when known.expires_at <= now() then 0 else known.failures end + $6::int,
    reserved = case when known.expires_at <= now() then 0
      when known.opened_at = case known.key when $1::bytea then $7::timestamptz else $8::timestamptz end
        then greatest(known.reserved - 1, 0)
      else known.reserved end,
    opened_at = case when known.expires_at <= now() then excluded.opened_at else known.opened_at end,
    expires_at = case
      when $6::int = 1 and (known.expires_at <= now()
        or known.failures + 1 in (1, case known.key when $1::bytea then $3::int else $4::int end))
        then excluded.expires_at
      else known.expires_at end
  returning encode(key, 'hex') as key, failures`;

/** Repeats the predicate of the partial index on expiry; otherwise the planner does not use it. */
const REMOVE_EXPIRED = `
delete from authentication_failure where key = any (array(
  select key from authentication_failure
  where expires_at <= now() and expires_at < 'infinity'
  order by expires_at limit $1 for update skip locked))`;

interface ReservationRow {
  /** The windows are null where nothing was reserved. */
  readonly addressWindow: string | null;
  readonly nameWindow: string | null;
  readonly hasPlace: boolean | null;
  readonly blockedFor: number;
}

/** Shared by all nodes; expiry uses the clock of the database. */
export class PostgresFailureStore implements FailureStore {
  constructor(private readonly pool: Pool) {}

  /** Runs one statement, and a second one to give back a reservation that came too late. */
  async reserve(limits: Limits, window: number): Promise<Reservation> {
    const { rows } = await this.pool.query<ReservationRow>({
      name: 'reserve-authentication-failure',
      text: RESERVE,
      values: parametersOf(limits, window),
    });
    const { addressWindow, nameWindow, hasPlace, blockedFor } = rows[0] as ReservationRow;
    if (addressWindow === null || nameWindow === null) return { isReserved: false, blockedFor };
    const windows: Windows = [addressWindow, nameWindow];
    if (hasPlace) return { isReserved: true, windows };
    await this.settle(limits, window, windows, false);
    return { isReserved: false, blockedFor };
  }

  /** Runs one statement. */
  async settle(
    limits: Limits,
    window: number,
    windows: Windows,
    isFailure: boolean,
  ): Promise<readonly [number, number]> {
    const { rows } = await this.pool.query<{ readonly key: string; readonly failures: number }>({
      name: 'settle-authentication-failure',
      text: SETTLE,
      values: [...parametersOf(limits, window), isFailure ? 1 : 0, ...windows],
    });
    const failuresOf = (key: string): number => rows.find((row) => row.key === key)?.failures ?? 0;
    return [failuresOf(limits[0].key), failuresOf(limits[1].key)];
  }

  /** Removes at most `limit` rows whose window has ended, and returns their number. Safe to run on several nodes at once. */
  async removeExpired(limit: number): Promise<number> {
    const { rowCount } = await this.pool.query(REMOVE_EXPIRED, [limit]);
    return rowCount ?? 0;
  }
}

function parametersOf([address, addressAndName]: Limits, window: number): unknown[] {
  return [
    `\\x${address.key}`,
    `\\x${addressAndName.key}`,
    address.threshold,
    addressAndName.threshold,
    window,
  ];
}
