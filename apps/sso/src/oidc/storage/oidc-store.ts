// The tables of OpenID Connect: oidc_grant, oidc_token and oidc_request.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { randomId } from '@tessera/crypto';
import type { DurableStatements } from '@tessera/database';
import type { Authentication, GrantingTicketHandle } from '@tessera/tickets';
import { EXTEND_GRANT, GRANT, OPEN_GRANT } from './grant-statements.js';

/** What clients redeem or present. */
export const MODELS = [
  'AccessToken',
  'RefreshToken',
  'ClientCredentials',
  'InitialAccessToken',
  'AuthorizationCode',
  'DeviceCode',
  'PushedAuthorizationRequest',
  'Interaction',
  'ReplayDetection',
] as const;
export type StoredModel = (typeof MODELS)[number];

/** Tokens that outlive a crash of the database. */
const LOGGED: readonly StoredModel[] = [
  'AccessToken',
  'RefreshToken',
  'ClientCredentials',
  'InitialAccessToken',
];

export interface StoredEntry {
  readonly model: StoredModel;
  /** The SHA-256 of the text that the client has, in hexadecimal digits. */
  readonly key: string;
  readonly payload: object;
  readonly grantId?: string | undefined;
  readonly clientId?: string | undefined;
  /** The SHA-256 of it. */
  readonly userCode?: string | undefined;
  /** Seconds. */
  readonly expiresIn: number;
}

export interface FoundEntry {
  readonly payload: Record<string, unknown>;
  /** In seconds since 1970; null before. */
  readonly consumed: number | null;
  readonly key: string;
}

/** What a session has granted to a client. */
export interface StoredGrant {
  readonly id: string;
  /** The session as the client knows it. */
  readonly sid: string;
  readonly clientId: string;
  readonly principal: string;
  readonly scopes: readonly string[];
  readonly session: GrantingTicketHandle;
  /** In seconds since 1970. */
  readonly expiresAt: number;
}

export interface NewGrant {
  readonly session: GrantingTicketHandle;
  readonly clientId: string;
  readonly authentication: Authentication;
  readonly scopes: readonly string[];
  /** Seconds. */
  readonly expiresIn: number;
  /** The registered service whose user must have allowed the scopes; without it, nobody is asked. */
  readonly allowedTo?: string | undefined;
}

/** What belongs to a grant that is revoked is not found, also where it was stored afterwards. */
const OF_LIVE_GRANT =
  '(grant_id is null or exists (select from oidc_grant g where g.id = grant_id and g.expires_at > now()))';

/** Statements that must survive a failover wait for a standby: those of refresh tokens and grants. */
export class OidcStore {
  constructor(
    private readonly pool: Pool,
    private readonly durable: Pick<DurableStatements, 'query'>,
  ) {}

  /** Adds the entry, or replaces what it says. It stays consumed. */
  async save(entry: StoredEntry): Promise<void> {
    await this.insert(entry, {
      name: 'save',
      onConflict: 'do update set payload = excluded.payload, grant_id = excluded.grant_id',
    });
  }

  /** Whether there was none with the key. */
  async add(entry: StoredEntry): Promise<boolean> {
    return (await this.insert(entry, { name: 'add', onConflict: 'do nothing' })) === 1;
  }

  private async insert(
    { model, key, payload, grantId, clientId, userCode, expiresIn }: StoredEntry,
    { name, onConflict }: { readonly name: string; readonly onConflict: string },
  ): Promise<number | null> {
    const table = tableOf(model);
    const isRefreshToken = model === 'RefreshToken';
    const { rowCount } = await this.statementsFor(model).query({
      name: `${name}-${isRefreshToken ? 'refresh-token' : table}`,
      text: `${isRefreshToken ? EXTEND_GRANT : ''}insert into ${table} (id, model, payload, grant_id, client_id, user_code, expires_at)
       values ($1, $2, $3, $4, $5, $6, now() + $7::float8 * interval '1 second')
       on conflict (id, model) ${onConflict}`,
      values: [
        bytes(key),
        model,
        payload,
        grantId,
        clientId,
        userCode && bytes(userCode),
        expiresIn,
      ],
    });
    return rowCount;
  }

  /** An entry that has not expired, consumed or not. */
  async find(model: StoredModel, key: string): Promise<FoundEntry | undefined> {
    return this.findWhere(model, 'id', key);
  }

  async findByUserCode(userCode: string): Promise<FoundEntry | undefined> {
    return this.findWhere('DeviceCode', 'user_code', userCode);
  }

  private async findWhere(
    model: StoredModel,
    column: 'id' | 'user_code',
    value: string,
  ): Promise<FoundEntry | undefined> {
    const table = tableOf(model);
    const { rows } = await this.pool.query<FoundEntry>({
      name: `find-${table}-${column}`,
      text: `select payload, extract(epoch from consumed_at)::float8 as consumed, encode(id, 'hex') as key from ${table}
       where ${column} = $1 and model = $2 and expires_at > now() and ${OF_LIVE_GRANT}`,
      values: [bytes(value), model],
    });
    return rows[0];
  }

  /** Of any number of callers, on any number of nodes, one gets `true`. */
  async consume(model: StoredModel, key: string): Promise<boolean> {
    const table = tableOf(model);
    const { rowCount } = await this.statementsFor(model).query({
      name: `consume-${table}`,
      text: `update ${table} set consumed_at = now()
       where id = $1 and model = $2 and consumed_at is null and expires_at > now()`,
      values: [bytes(key), model],
    });
    return rowCount === 1;
  }

  async remove(model: StoredModel, key: string): Promise<void> {
    await this.statementsFor(model).query(
      `delete from ${tableOf(model)} where id = $1 and model = $2`,
      [bytes(key), model],
    );
  }

  /** The grant of a session to a client, with these scopes besides those that it has. Undefined without the consent. */
  async openGrant(grant: NewGrant): Promise<StoredGrant | undefined> {
    const { session, clientId, authentication, scopes, expiresIn, allowedTo } = grant;
    const { principal, handler, credentialType, authenticatedAt } = authentication;
    const { attributes } = principal;
    const login = { handler, credentialType, authenticatedAt, attributes };
    const { rows } = await this.durable.query<StoredGrant>({
      name: 'open-oidc-grant',
      text: OPEN_GRANT,
      values: [
        randomUUID(),
        randomId(22),
        bytes(session),
        clientId,
        principal.id,
        scopes,
        login,
        expiresIn,
        allowedTo,
      ],
    });
    return rows[0];
  }

  /** A grant that has not expired. */
  async findGrant(id: string): Promise<StoredGrant | undefined> {
    const { rows } = await this.pool.query<StoredGrant>({
      name: 'find-oidc-grant',
      text: `select ${GRANT} from oidc_grant where id = $1 and expires_at > now()`,
      values: [id],
    });
    return rows[0];
  }

  /** The login of a grant, for tokens that outlive its session. */
  async authenticationOf(id: string): Promise<Omit<Authentication, 'methods'> | undefined> {
    const { rows } = await this.pool.query<{ readonly principal: string; readonly login: Login }>(
      'select principal, authentication as login from oidc_grant where id = $1 and expires_at > now()',
      [id],
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    const { attributes, authenticatedAt, ...login } = row.login;
    const principal = { id: row.principal, attributes };
    return { ...login, principal, authenticatedAt: new Date(authenticatedAt) };
  }

  /** The grants of a session. */
  async grantsOf(session: GrantingTicketHandle): Promise<readonly StoredGrant[]> {
    const { rows } = await this.pool.query<StoredGrant>({
      name: 'oidc-grants-of-session',
      text: `select ${GRANT} from oidc_grant where session_id = $1 and expires_at > now()`,
      values: [bytes(session)],
    });
    return rows;
  }

  /** Ends a grant, and what belongs to it. @returns the grant, to one of any number of callers */
  async revoke(grantId: string): Promise<StoredGrant | undefined> {
    const { rows } = await this.durable.query<StoredGrant>(
      `delete from oidc_grant where id = $1 returning ${GRANT}`,
      [grantId],
    );
    const [ended] = rows;
    // Not by several callers at once: they would wait for each other's rows.
    if (ended !== undefined) await this.removeOf(grantId);
    return ended;
  }

  /** Ends the grants of a user, in the order in which triggers do. @returns their number */
  async endGrantsOf(principal: string): Promise<number> {
    const { rowCount } = await this.durable.query(
      `delete from oidc_grant where id = any (array(
         select id from oidc_grant where principal = $1 order by id for update))`,
      [principal],
    );
    return rowCount ?? 0;
  }

  /** Nothing of an ended grant is found any more, so this only frees the space. */
  private async removeOf(grantId: string): Promise<void> {
    for (const table of ['oidc_token', 'oidc_request']) {
      await this.pool.query(`delete from ${table} where grant_id = $1`, [grantId]);
    }
  }

  /** Removes at most `limit` expired rows of each table. @returns their number */
  async removeExpired(limit: number): Promise<number> {
    let removed = 0;
    for (const table of ['oidc_grant', 'oidc_token', 'oidc_request']) {
      const { rowCount } = await this.pool.query(
        `delete from ${table} where ctid = any (array(
           select ctid from ${table} where expires_at <= now() order by expires_at limit $1 for update skip locked))`,
        [limit],
      );
      removed += rowCount ?? 0;
    }
    return removed;
  }

  private statementsFor(model: StoredModel): Pick<DurableStatements, 'query'> {
    return model === 'RefreshToken' ? this.durable : this.pool;
  }
}

interface Login {
  readonly handler: string;
  readonly credentialType: string;
  readonly authenticatedAt: string;
  readonly attributes: Authentication['principal']['attributes'];
}

/** Of hexadecimal digits, in the text format of PostgreSQL. */
function bytes(digits: string): string {
  return `\\x${digits}`;
}

function tableOf(model: StoredModel): string {
  return LOGGED.includes(model) ? 'oidc_token' : 'oidc_request';
}
