// Stores accounts in the table `user_account`. Only this file accesses it.
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  And,
  Any,
  type EntityManager,
  type FindOptionsSelect,
  MoreThan,
  Raw,
  type Repository,
} from 'typeorm';
import { durableTransaction, toDatabaseError } from '@tessera/database';
import { AccountError } from './account-error.js';
import { AccountPasswordStore } from './account-password-store.js';
import { accountName, attributesViolation, NAME_RULE, storedAccountName } from './account-rules.js';
import { UserAccount, type AccountAttributes } from './user-account.entity.js';

const NOW = (): string => 'now()';

export interface NewAccount {
  readonly name: string;
  readonly passwordHash: string;
  readonly attributes?: AccountAttributes | undefined;
  readonly disabled?: boolean | undefined;
  readonly expiresAt?: Date | null | undefined;
}

/** The fields to change. `attributes` replaces only the attributes it names. */
export interface AccountChange extends Omit<NewAccount, 'name' | 'passwordHash'> {
  readonly passwordHash?: string | undefined;
}

/** An account without its hash, for display. */
export type AccountSummary = Omit<UserAccount, 'passwordHash'>;

/** The state of an account at login. `disabled` takes precedence over `expired`. */
export type AccountState = 'unknown' | 'disabled' | 'expired' | 'active';

export interface LoginAccount {
  readonly state: AccountState;
  readonly passwordHash: string;
}

/** For `a` of {@link FROM_NAME}. */
const STATE = `case
    when a.name is distinct from $1 then 'unknown'
    when a.disabled then 'disabled'
    when a.expires_at <= now() then 'expired'
    else 'active'
  end`;

/**
 * Returns one row for every name. `a` is the account of the name, or else the account before it, so that an
 * unknown name costs reading a row, too.
 */
const FROM_NAME = `from (select) asked left join lateral (
    select * from user_account where name <= $1 order by name desc limit 1) a on true`;

/** No account has this name. */
const IMPOSSIBLE_NAME = '';

export interface Page {
  /** Maximum number of accounts. */
  readonly limit: number;
  /** The last name of the previous page; absent for the first page. */
  readonly after?: string | undefined;
  /** The start of the names; absent for all accounts. */
  readonly prefix?: string | undefined;
}

const SUMMARY: FindOptionsSelect<UserAccount> = {
  name: true,
  revision: true,
  attributes: true,
  disabled: true,
  expiresAt: true,
  expired: true,
  createdAt: true,
  updatedAt: true,
  passwordChangedAt: true,
};

/**
 * The accounts in PostgreSQL. Accepts names in any Unicode form and stores them in NFC.
 *
 * @throws AccountError ACCOUNT_NOT_FOUND, ACCOUNT_EXISTS or ACCOUNT_INVALID
 * @throws DatabaseError DATABASE_UNAVAILABLE; an unavailable database is never reported as a missing account
 */
@Injectable()
export class AccountStore {
  constructor(@InjectRepository(UserAccount) private readonly accounts: Repository<UserAccount>) {}

  /** A store outside Nest, or in a transaction. */
  static of(source: Pick<EntityManager, 'getRepository'>): AccountStore {
    return new AccountStore(source.getRepository(UserAccount));
  }

  /** For changes of passwords by their users. */
  get passwords(): AccountPasswordStore {
    return new AccountPasswordStore(this.accounts.manager);
  }

  /** The account with its hash; undefined for unknown and invalid names. */
  async find(name: string): Promise<UserAccount | undefined> {
    const known = storedAccountName(name);
    if (known === undefined) {
      return undefined;
    }
    return (await withDatabaseError(this.accounts.findOneBy({ name: known }))) ?? undefined;
  }

  /**
   * The state and hash for a login; `decoyHash` for an unknown account.
   *
   * Statement and row shape are the same for every name, so that the time does not reveal which accounts
   * exist. For the same reason this does not read attributes, which may be large.
   */
  async login(name: string, decoyHash: string): Promise<LoginAccount> {
    const hash = 'case when a.name = $1 then a.password_hash else $2 end as "passwordHash"';
    const query = `select ${STATE} as state, ${hash} ${FROM_NAME}`;
    return this.row<LoginAccount>(query, [accountName(name) ?? IMPOSSIBLE_NAME, decoyHash]);
  }

  /** The state of an account, with the same work for every name. */
  async state(name: string): Promise<AccountState> {
    const query = `select ${STATE} as state ${FROM_NAME}`;
    const { state } = await this.row<{ state: AccountState }>(query, [
      storedAccountName(name) ?? IMPOSSIBLE_NAME,
    ]);
    return state;
  }

  async add(account: NewAccount): Promise<void> {
    const { attributes = {}, disabled = false, expiresAt = null } = account;
    const row = { ...account, name: validName(account.name), attributes, disabled, expiresAt };
    checkAttributes(attributes);
    const insert = this.accounts.createQueryBuilder().insert().values(row);
    const added = await withDatabaseError(insert.orIgnore().returning('name').execute());
    if (!Array.isArray(added.raw) || added.raw.length === 0) {
      throw new AccountError('ACCOUNT_EXISTS', `there is an account named ${row.name} already`);
    }
  }

  /**
   * Changes an account. An attribute with no values is removed. Concurrent changes of one account do not
   * overwrite each other.
   *
   * @returns false where nothing changes; then nothing is written. A password always counts as a change.
   */
  async change(name: string, change: AccountChange): Promise<boolean> {
    checkAttributes(change.attributes ?? {});
    return this.transaction(async ({ accounts }) => {
      const account = await accounts.findOne({
        where: { name: storedName(name) },
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
    const { affected } = await withDatabaseError(this.accounts.delete({ name: storedName(name) }));
    if (!affected) {
      throw notFound(name);
    }
  }

  /**
   * Replaces `oldHash` by another hash of the same password, unless the password has changed since.
   *
   * @returns whether it was replaced
   */
  async replaceHash(name: string, oldHash: string, newHash: string): Promise<boolean> {
    const unchanged = { name: storedName(name), passwordHash: oldHash };
    const { affected } = await withDatabaseError(
      this.accounts.update(unchanged, { passwordHash: newHash }),
    );
    return affected === 1;
  }

  /** Lists accounts by name, in the order of code points. */
  list({ limit, after, prefix = '' }: Page): Promise<readonly AccountSummary[]> {
    const startsWith = Raw((name) => `starts_with(${name}, :prefix)`, { prefix });
    const where = {
      name: after === undefined ? startsWith : And(MoreThan(after), startsWith),
    };
    return withDatabaseError(
      this.accounts.find({ select: SUMMARY, where, order: { name: 'ASC' }, take: limit }),
    );
  }

  /** An account without its hash; undefined for unknown and invalid names. */
  async findSummary(name: string): Promise<AccountSummary | undefined> {
    const known = storedAccountName(name);
    if (known === undefined) return undefined;
    const found = this.accounts.findOne({ select: SUMMARY, where: { name: known } });
    return (await withDatabaseError(found)) ?? undefined;
  }

  /** An account without its hash, locked until the end of the transaction. */
  async findForUpdate(name: string): Promise<AccountSummary | undefined> {
    const known = storedAccountName(name);
    if (known === undefined) return undefined;
    const lock = { mode: 'pessimistic_write' } as const;
    const found = this.accounts.findOne({ select: SUMMARY, where: { name: known }, lock });
    return (await withDatabaseError(found)) ?? undefined;
  }

  /** The names, given in NFC, that have an account. */
  async existing(names: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await withDatabaseError(
      this.accounts.find({ select: { name: true }, where: { name: Any(names) } }),
    );
    return new Set(found.map(({ name }) => name));
  }

  private async row<T>(query: string, parameters: readonly string[]): Promise<T> {
    const rows = await withDatabaseError(this.accounts.query<readonly T[]>(query, [...parameters]));
    const [row] = rows;
    if (row === undefined) throw new Error('a query of one row gave none');
    return row;
  }

  /** Runs `work` in a transaction, which is rolled back if `work` throws. */
  transaction<T>(work: (store: AccountStore) => Promise<T>): Promise<T> {
    return withDatabaseError(
      durableTransaction(this.accounts.manager, (manager) => work(AccountStore.of(manager))),
    );
  }
}

async function withDatabaseError<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw toDatabaseError(error);
  }
}

function validName(text: string): string {
  return valid(accountName(text));
}

function storedName(text: string): string {
  return valid(storedAccountName(text));
}

function valid(name: string | undefined): string {
  if (name !== undefined) return name;
  throw new AccountError('ACCOUNT_INVALID', `an account name must have ${NAME_RULE}`);
}

function checkAttributes(attributes: AccountAttributes): void {
  const violation = attributesViolation(attributes);
  if (violation !== undefined) {
    throw new AccountError('ACCOUNT_INVALID', violation);
  }
}

/** Uses entries, so that an attribute may be named `__proto__`. */
function merged(present: AccountAttributes, change: AccountAttributes): AccountAttributes {
  const all = new Map([...Object.entries(present), ...Object.entries(change)]);
  return Object.fromEntries([...all].filter(([, values]) => values.length > 0));
}

function notFound(name: string): AccountError {
  return new AccountError('ACCOUNT_NOT_FOUND', `there is no account named ${name}`);
}
