// Stores signing keys in the table `signing_key`. No other code uses that table.
import type { JsonWebKey } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { durableTransaction, toDatabaseError } from '@tessera/database';
import type { KeySealing } from './key-sealing.js';
import { publicJwk, type SigningAlgorithm, type SigningKey } from './signing-key.js';

const DAY_MS = 86_400_000;
/** How long a key is published after its last signature, in milliseconds. No token may live longer. */
export const PUBLISHED_FOR = 30 * DAY_MS;

/** The advisory lock of changes; an arbitrary number. */
const LOCK = 8_377_132;

/**
 * `signs`: the newest usable key of its algorithm. `next`: published, and signs from `usableFrom` on. `published`: signs no
 * more, or never; tokens that it signed are still valid.
 */
export type SigningKeyState = 'signs' | 'next' | 'published';

export interface StoredSigningKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly publicJwk: JsonWebKey;
  readonly sealedPrivate: string;
  readonly createdAt: Date;
  /** Null: never. */
  readonly usableFrom: Date | null;
  /** Milliseconds until `usableFrom` by the clock of the database. */
  readonly usableIn: number | null;
  /** Null while no key takes over. */
  readonly publishedUntil: Date | null;
  readonly state: SigningKeyState;
}

export interface NewSigningKey {
  readonly key: SigningKey;
  /** Milliseconds until it signs; null: never. */
  readonly usableIn: number | null;
}

/** A key is published for a while after the next one of its algorithm has taken over. */
const KEYS = `
  select kid, algorithm, public_jwk, sealed_private, created_at, usable_from, successor,
    coalesce(successor, case when usable_from is null then created_at end)
      + $1::float8 * interval '1 millisecond' as published_until
  from (
    select *, lead(usable_from) over (
      partition by algorithm, usable_from is null order by usable_from, created_at, kid) as successor
    from signing_key) as ordered`;

/** A transaction that has waited for the lock sees later keys, so its own time is too early. */
const READ = `
select kid, algorithm, public_jwk as "publicJwk", sealed_private as "sealedPrivate", created_at as "createdAt",
  usable_from as "usableFrom", published_until as "publishedUntil",
  extract(epoch from usable_from - statement_timestamp())::float8 * 1000 as "usableIn",
  case when usable_from > statement_timestamp() then 'next'
    when usable_from is null or successor <= statement_timestamp() then 'published'
    else 'signs' end as state
from (${KEYS}) as keys
where published_until is null or published_until > statement_timestamp()
order by algorithm desc, usable_from desc nulls last, created_at, kid`;

const ADD = `
insert into signing_key (kid, algorithm, public_jwk, sealed_private, usable_from)
values ($1, $2, $3, $4, now() + $5::float8 * interval '1 millisecond')`;

const REMOVE_EXPIRED = `
delete from signing_key
where kid in (select kid from (${KEYS}) as keys where published_until <= now())`;

/** @throws DatabaseError DATABASE_UNAVAILABLE */
export class SigningKeyStore {
  constructor(private readonly manager: EntityManager) {}

  /** All that are published: first those of RS256, and of each algorithm the newest. */
  async readAll(): Promise<readonly StoredSigningKey[]> {
    return this.query<StoredSigningKey[]>(READ, [PUBLISHED_FOR]);
  }

  /** Adds keys that are usable at once, where no key of their algorithm signs. Of nodes that call this at once, one adds. */
  async addMissing(keys: readonly SigningKey[], sealing: KeySealing): Promise<void> {
    await this.changing(async (store) => {
      const signing = algorithmsThatSign(await store.readAll());
      for (const key of keys.filter(({ alg }) => !signing.has(alg))) {
        await store.add({ key, usableIn: 0 }, sealing);
      }
    });
  }

  async add({ key, usableIn }: NewSigningKey, sealing: KeySealing): Promise<void> {
    const sealed = await sealing.seal(key);
    await this.query(ADD, [key.kid, key.alg, publicJwk(key), sealed, usableIn]);
  }

  /** @returns the number of keys that were published no more */
  async removeExpired(): Promise<number> {
    const [, removed] = await this.query<[unknown, number]>(REMOVE_EXPIRED, [PUBLISHED_FOR]);
    return removed;
  }

  /** Seals those again, with the first key, that another key sealed. */
  async sealAgain(sealing: KeySealing): Promise<void> {
    for (const { kid, sealedPrivate } of await this.readAll()) {
      if (sealing.isCurrent(sealedPrivate)) continue;
      const sealed = await sealing.seal(await sealing.open(kid, sealedPrivate));
      await this.query('update signing_key set sealed_private = $2 where kid = $1', [kid, sealed]);
    }
  }

  /** Removes the keys with these ids: no node publishes them any more. */
  async remove(kids: readonly string[]): Promise<void> {
    await this.query('delete from signing_key where kid = any ($1)', [kids]);
  }

  /** Runs `work` in a transaction, while no other change runs. */
  changing<T>(work: (store: SigningKeyStore, manager: EntityManager) => Promise<T>): Promise<T> {
    return durableTransaction(this.manager, async (manager) => {
      const store = new SigningKeyStore(manager);
      await store.query('select pg_advisory_xact_lock($1)', [LOCK]);
      return work(store, manager);
    });
  }

  private async query<T>(text: string, values: readonly unknown[]): Promise<T> {
    try {
      return await this.manager.query<T>(text, [...values]);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}

export function algorithmsThatSign(
  keys: readonly StoredSigningKey[],
): ReadonlySet<SigningAlgorithm> {
  const signing = keys.filter(({ state }) => state === 'signs');
  return new Set(signing.map(({ algorithm }) => algorithm));
}
