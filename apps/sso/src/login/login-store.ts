// The key of browser logins and the used login forms, in PostgreSQL, shared by all nodes.
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';

const KEY_BYTES = 32;

/** Names the predicate of the index on expires_at, which is used only then. */
const REMOVE_EXPIRED = `
delete from used_login_form where id = any (array(
  select id from used_login_form
  where expires_at <= now() and expires_at < 'infinity'
  order by expires_at limit $1 for update skip locked))`;

export class LoginStore {
  constructor(private readonly pool: Pool) {}

  /** 32 bytes, the same on all nodes. The first call creates them. */
  async key(): Promise<Buffer> {
    await this.pool.query('insert into login_key (key) values ($1) on conflict do nothing', [
      randomBytes(KEY_BYTES),
    ]);
    const { rows } = await this.pool.query<{ key: Buffer }>('select key from login_key');
    const [row] = rows;
    if (row === undefined) throw new Error('the table login_key is empty');
    return row.key;
  }

  /** Whether this is the first claim of the form, of all claims on all nodes. @param lifetime milliseconds */
  async claimForm(id: string, lifetime: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `insert into used_login_form (id, expires_at)
       values ($1, now() + $2::float8 * interval '1 millisecond') on conflict do nothing`,
      [id, lifetime],
    );
    return rowCount === 1;
  }

  /** Removes at most `limit` expired forms. @returns the number of removed rows */
  async removeExpired(limit: number): Promise<number> {
    const { rowCount } = await this.pool.query(REMOVE_EXPIRED, [limit]);
    return rowCount ?? 0;
  }
}
