// Stores the tokens that allow a registration of clients in the table `oidc_token`, as hashes. @see RFC 7591, section 3
import type { EntityManager } from 'typeorm';
import { randomId, sha256 } from '@tessera/crypto';

/** 256 bits. */
const TOKEN_LENGTH = 43;
/** Digits of the hash. */
const ID_LENGTH = 16;
const ID = /^[0-9a-f]{16}$/;
const HASH_LENGTH = 64;

/** As OpenID Connect names what it finds in the table. */
const MODEL = 'InitialAccessToken';
const COLUMNS = `left(encode(oidc_token.id, 'hex'), ${ID_LENGTH}) as id, expires_at as "expiresAt"`;

/** A token without its text. */
export interface InitialAccessToken {
  /** @see initialAccessTokenId */
  readonly id: string;
  readonly expiresAt: Date;
}

export interface NewInitialAccessToken extends InitialAccessToken {
  /** Shown once: only its hash is stored. */
  readonly token: string;
}

/** 16 hexadecimal digits of the hash, by which operators know a token. */
export function initialAccessTokenId(token: string): string {
  return sha256(token).slice(0, ID_LENGTH);
}

/** Times are those of the database's clock. Each method runs in the transaction of the entity manager. */
export class InitialAccessTokens {
  constructor(private readonly manager: EntityManager) {}

  /** Adds a random token of 43 letters and digits. @param lifetime in seconds */
  async add(lifetime: number): Promise<NewInitialAccessToken> {
    const token = randomId(TOKEN_LENGTH);
    const [added] = await this.manager.query<readonly InitialAccessToken[]>(
      `insert into oidc_token (id, model, payload, expires_at)
       values (decode($1, 'hex'), $2, jsonb_build_object('kind', $2::text), now() + $3::float8 * interval '1 second')
       returning ${COLUMNS}`,
      [sha256(token), MODEL, lifetime],
    );
    return { ...(added as InitialAccessToken), token };
  }

  /** Those that are valid, the first to expire first. */
  async list(): Promise<readonly InitialAccessToken[]> {
    return this.manager.query<readonly InitialAccessToken[]>(
      `select ${COLUMNS} from oidc_token where model = $1 and expires_at > now() order by expires_at, id`,
      [MODEL],
    );
  }

  /** @returns whether it was there. @param id any text */
  async remove(id: string): Promise<boolean> {
    if (!ID.test(id)) return false;
    const [, removed] = await this.manager.query<readonly [unknown, number]>(
      `delete from oidc_token
       where id between decode($1, 'hex') and decode($2, 'hex') and model = $3 and expires_at > now()`,
      [id.padEnd(HASH_LENGTH, '0'), id.padEnd(HASH_LENGTH, 'f'), MODEL],
    );
    return removed > 0;
  }
}
