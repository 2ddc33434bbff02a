// Keeps accounts in the table `user_account`, and is the only code that touches it. Checks no
// passwords: it sees hashes alone.
import { isDeepStrictEqual } from 'node:util';
import type { DataSource, EntityManager, FindOptionsSelect, Repository } from 'typeorm';
import { Any, MoreThan } from 'typeorm';
import { toDatabaseError } from '@tessera/database';
import { AccountError } from './account-error.js';
import { accountName, attributesFault, NAME_RULE } from './account-rules.js';
import { UserAccount, type AccountAttributes } from './user-account.js';

const NOW = (): string => 'now()';

export interface NewAccount {
  readonly name: string;
  readonly passwordHash: string;
  readonly attributes?: AccountAttributes | undefined;
  readonly disabled?: boolean | undefined;
  readonly expiresAt?: Date | null | undefined;
}

/** What to change; what is left out stays as it is. `attributes` replaces the ones it names. */
export interface AccountChange extends Omit<NewAccount, 'name' | 'passwordHash'> {
  readonly passwordHash?: string | undefined;
}

/** An account for showing: without its hash. */
export type AccountSummary = Omit<UserAccount, 'passwordHash'>;

/** What an account is to a login. Disabled counts before expired. */
export type AccountState = 'unknown' | 'disabled' | 'expired' | 'active';

/** What a password is checked with. */
export interface LoginAccount {
  readonly state: AccountState;
  readonly passwordHash: string;
}

/** For `a` of {@link OF_NAME}. */
const STATE = `case
    when a.name is distinct from $1 then 'unknown'
    when a.disabled then 'disabled'
    when a.expires_at <= now() then 'expired'
    else 'active'
  end`;

/**
 * One row, whether or not there is an account of the name. `a` is that account, else the one before it: reading a row
 * takes microseconds, which an unknown name has to cost too.
 */
const OF_NAME = `from (select) asked left join lateral (
    select * from user_account where name <= $1 order by name desc limit 1) a on true`;

/** No account has it. */
const NO_NAME = '';

export interface Page {
  /** At most so many accounts. */
  readonly limit: number;
  /** Start behind this name; the first page has none. */
  readonly after?: string;
}

const SUMMARY: FindOptionsSelect<UserAccount> = {
  name: true,
  attributes: true,
  disabled: true,
  expiresAt: true,
  expired: true,
  createdAt: true,
  updatedAt: true,
  passwordChangedAt: true,
};

/**
 * The accounts in PostgreSQL. Names are taken in any Unicode form and kept in NFC.
 *
 * @throws AccountError ACCOUNT_NOT_FOUND, ACCOUNT_EXISTS or ACCOUNT_INVALID
 * @throws DatabaseError DATABASE_UNAVAILABLE; a database that is away is never a missing account
 */
export class AccountStore {
  private readonly accounts: Repository<UserAccount>;

  constructor(source: DataSource | EntityManager) {
    this.accounts = source.getRepository(UserAccount);
  }

  /** The account with its hash; a text that can be no account's name finds none. */
  async find(name: string): Promise<UserAccount | undefined> {
    const known = accountName(name);
    if (known === undefined) {
      return undefined;
    }
    return (await answerOf(this.accounts.findOneBy({ name: known }))) ?? undefined;
  }

  /**
   * What a login needs before its password is checked; `decoyHash` stands for the hash of an unknown account.
   *
   * The statement and the shape of its row are the same for every name, so that the time does not tell
   * which names have accounts. For the same reason attributes, of any size, are not read here.
   */
  async login(name: string, decoyHash: string): Promise<LoginAccount> {
    const hash = 'case when a.name = $1 then a.password_hash else $2 end as "passwordHash"';
    const query = `select ${STATE} as state, ${hash} ${OF_NAME}`;
    return this.row<LoginAccount>(query, [accountName(name) ?? NO_NAME, decoyHash]);
  }

  /** The state of the account of this name, by the same work for every name. */
  async state(name: string): Promise<AccountState> {
    const query = `select ${STATE} as state ${OF_NAME}`;
    const { state } = await this.row<{ state: AccountState }>(query, [
      accountName(name) ?? NO_NAME,
    ]);
    return state;
  }

  /** Adds an account, unless there is one of that name. */
  async add(account: NewAccount): Promise<void> {
    const { attributes = {}, disabled = false, expiresAt = null } = account;
    const row = { ...account, name: validName(account.name), attributes, disabled, expiresAt };
    checkAttributes(attributes);
    const insert = this.accounts.createQueryBuilder().insert().values(row);
    const added = await answerOf(insert.orIgnore().returning('name').execute());
    if (!Array.isArray(added.raw) || added.raw.length === 0) {
      throw new AccountError('ACCOUNT_EXISTS', `there is an account named ${row.name} already`);
    }
  }

  /**
   * Changes what `change` names; an attribute with no values is removed. Changes of one account at the
   * same moment lose nothing.
   *
   * @returns false where the account is like that already; then nothing is written. A password counts
   *   as changed.
   */
  async change(name: string, change: AccountChange): Promise<boolean> {
    checkAttributes(change.attributes ?? {});
    return this.transaction(async ({ accounts }) => {
      const account = await accounts.findOne({
        where: { name: validName(name) },
        lock: { mode: 'pessimistic_write' },
      });
      if (!account) {
        throw notFound(name);
      }
      const { disabled, expiresAt, attributes } = account;
      const after = {
        disabled: change.disabled ?? disabled,
        expiresAt: change.expiresAt === undefined ? expiresAt : change.expiresAt,
        attributes: merged(attributes, change.attributes ?? {}),
      };
      const { passwordHash } = change;
      if (
        passwordHash === undefined &&
        isDeepStrictEqual(after, { disabled, expiresAt, attributes })
      ) {
        return false;
      }
      const password = passwordHash === undefined ? {} : { passwordHash, passwordChangedAt: NOW };
      await accounts.update({ name: account.name }, { ...after, ...password, updatedAt: NOW });
      return true;
    });
  }

  async setPassword(name: string, passwordHash: string): Promise<void> {
    await this.change(name, { passwordHash });
  }

  async disable(name: string): Promise<void> {
    await this.change(name, { disabled: true });
  }

  async enable(name: string): Promise<void> {
    await this.change(name, { disabled: false });
  }

  async remove(name: string): Promise<void> {
    const { affected } = await answerOf(this.accounts.delete({ name: validName(name) }));
    if (!affected) {
      throw notFound(name);
    }
  }

  /**
   * Puts another hash of the same password in the place of `oldHash`, if that is still the one kept:
   * a password changed meanwhile stays changed. Says whether it did.
   */
  async replaceHash(name: string, oldHash: string, newHash: string): Promise<boolean> {
    const unchanged = { name: validName(name), passwordHash: oldHash };
    const { affected } = await answerOf(this.accounts.update(unchanged, { passwordHash: newHash }));
    return affected === 1;
  }

  /** Accounts in the order of their names, by code point. */
  list({ limit, after }: Page): Promise<readonly AccountSummary[]> {
    const where = after === undefined ? {} : { name: MoreThan(after) };
    return answerOf(
      this.accounts.find({ select: SUMMARY, where, order: { name: 'ASC' }, take: limit }),
    );
  }

  /** Those of `names` (in NFC) that have an account. */
  async existing(names: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await answerOf(
      this.accounts.find({ select: { name: true }, where: { name: Any(names) } }),
    );
    return new Set(found.map(({ name }) => name));
  }

  private async row<T>(query: string, parameters: readonly string[]): Promise<T> {
    const rows = await answerOf(this.accounts.query<readonly T[]>(query, [...parameters]));
    const [row] = rows;
    if (row === undefined) throw new Error('a query of one row gave none');
    return row;
  }

  /** Runs `work` with a store whose changes are all kept, or none of them if `work` throws. */
  transaction<T>(work: (store: AccountStore) => Promise<T>): Promise<T> {
    return answerOf(
      this.accounts.manager.transaction((manager) => work(new AccountStore(manager))),
    );
  }
}

async function answerOf<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw toDatabaseError(error);
  }
}

function validName(text: string): string {
  const name = accountName(text);
  if (name === undefined) {
    throw new AccountError('ACCOUNT_INVALID', `an account name must have ${NAME_RULE}`);
  }
  return name;
}

function checkAttributes(attributes: AccountAttributes): void {
  const fault = attributesFault(attributes);
  if (fault !== undefined) {
    throw new AccountError('ACCOUNT_INVALID', fault);
  }
}

/** Built from entries, so that an attribute named `__proto__` is an attribute. */
function merged(present: AccountAttributes, change: AccountAttributes): AccountAttributes {
  const all = new Map([...Object.entries(present), ...Object.entries(change)]);
  return Object.fromEntries([...all].filter(([, values]) => values.length > 0));
}

function notFound(name: string): AccountError {
  return new AccountError('ACCOUNT_NOT_FOUND', `there is no account named ${name}`);
}
