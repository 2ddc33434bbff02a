// Changes the passwords of accounts for their users, and keeps the hashes of former ones.
import type { EntityManager } from 'typeorm';
import { durableTransaction, toDatabaseError } from '@tessera/database';

export interface PasswordReplacement {
  readonly name: string;
  /** When the password that was checked had been set. */
  readonly checked: Date;
  readonly newHash: string;
  /** The number of former hashes that are kept. */
  readonly kept: number;
}

/** A renewed hash is of the same password, so the time tells whether it has changed. */
const REPLACE = `
with old as (
  select name, password_hash from user_account
  where name = $1 and password_changed_at = $2 and not disabled
    and coalesce(expires_at > now(), true)
  for update)
update user_account a set password_hash = $3, password_changed_at = now(), updated_at = now()
from old where a.name = old.name returning old.password_hash as "oldHash"`;

const REMOVE_OLDEST = `
delete from password_history where ctid = any (array(
  select ctid from password_history where account = $1 order by replaced_at desc offset $2))`;

/** @throws DatabaseError DATABASE_UNAVAILABLE */
export class AccountPasswordStore {
  constructor(private readonly manager: EntityManager) {}

  /** The hashes of the last passwords that the user has replaced, the newest first. */
  async former(name: string, count: number): Promise<readonly string[]> {
    try {
      const rows = await this.manager.query<readonly { readonly hash: string }[]>(
        `select password_hash as hash from password_history where account = $1
         order by replaced_at desc limit $2`,
        [name, count],
      );
      return rows.map(({ hash }) => hash);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  /**
   * Sets the password, unless it has changed since it was checked, or the account is gone, disabled or expired.
   *
   * @returns whether it is set
   */
  async replace({ name, checked, newHash, kept }: PasswordReplacement): Promise<boolean> {
    try {
      return await durableTransaction(this.manager, async (manager) => {
        const [rows] = await manager.query<[readonly { readonly oldHash: string }[], number]>(
          REPLACE,
          [name, checked, newHash],
        );
        const [replaced] = rows;
        if (replaced === undefined) return false;
        if (kept > 0) {
          const insert = 'insert into password_history (account, password_hash) values ($1, $2)';
          await manager.query(insert, [name, replaced.oldHash]);
        }
        await manager.query(REMOVE_OLDEST, [name, kept]);
        return true;
      });
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}
