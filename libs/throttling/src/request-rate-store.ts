// Counts requests in the table `request_rate`, for all nodes. Expiry uses the database's clock.
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Pool } from 'pg';
import { isUnavailable } from '@tessera/runtime';

type Increment = ThrottlerStorage['increment'];
type StorageRecord = Awaited<ReturnType<Increment>>;

/** The count stops one above the limit: a client that goes on does not overflow it. */
const INCREMENT = `
insert into request_rate as known (key, requests, expires_at)
  values ($1::bytea, 1, now() + $2::float8 * interval '1 millisecond')
  on conflict (key) do update set
    requests = case when known.expires_at <= now() then 1
      else least(known.requests, $3::int) + 1 end,
    expires_at = case when known.expires_at <= now() then excluded.expires_at
      else known.expires_at end
  returning requests, extract(epoch from expires_at - now())::float8 as seconds`;

/** Names the predicate of the index on expires_at, which is used only then. */
const REMOVE_EXPIRED = `
delete from request_rate where key = any (array(
  select key from request_rate
  where expires_at <= now() and expires_at < 'infinity'
  order by expires_at limit $1 for update skip locked))`;

/** Fixed windows: the first request opens one, and requests above the limit are refused until it ends. */
export class RequestRateStore implements ThrottlerStorage {
  constructor(private readonly pool: Pool) {}

  /**
   * One statement. While the database is unavailable nothing is limited: a reload must be able to repair it, and every
   * other route fails by itself.
   *
   * @param key SHA-256 in hexadecimal
   * @param ttl milliseconds
   */
  readonly increment: Increment = async (key, ttl, limit): Promise<StorageRecord> => {
    try {
      return await this.count(key, ttl, limit);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return { totalHits: 0, timeToExpire: 0, isBlocked: false, timeToBlockExpire: 0 };
    }
  };

  private async count(key: string, ttl: number, limit: number): Promise<StorageRecord> {
    const { rows } = await this.pool.query<{ requests: number; seconds: number }>({
      name: 'increment-request-rate',
      text: INCREMENT,
      values: [`\\x${key}`, ttl, limit],
    });
    const { requests = 1, seconds = 0 } = rows[0] ?? {};
    const timeToExpire = Math.max(1, Math.ceil(seconds));
    const isBlocked = requests > limit;
    return {
      totalHits: requests,
      timeToExpire,
      isBlocked,
      timeToBlockExpire: isBlocked ? timeToExpire : 0,
    };
  }

  /** Removes at most `limit` rows whose window has ended, and returns their number. Several nodes may call it at once. */
  async removeExpired(limit: number): Promise<number> {
    const { rowCount } = await this.pool.query(REMOVE_EXPIRED, [limit]);
    return rowCount ?? 0;
  }
}
