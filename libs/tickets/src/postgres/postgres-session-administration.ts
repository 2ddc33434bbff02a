// The sessions of all users on PostgreSQL.
import type { Pool } from 'pg';
import { randomId, sha256 } from '@tessera/crypto';
import type { DurableStatements } from '@tessera/database';
import type { Principal } from '@tessera/services';
import type {
  Authentication,
  GrantingTicketHandle,
  SessionAdministration,
  SessionDetails,
  SessionQuery,
  SessionService,
  UsedMethod,
} from '../ticket-registry.js';

const HANDLE = /^[0-9a-f]{64}$/;
/** 43 characters carry 256 bits. */
const TOKEN_LENGTH = 43;

export interface SessionRow {
  readonly principal: string;
  readonly attributes: Principal['attributes'];
  readonly handler: string;
  readonly credential_type: string;
  readonly authenticated_at: Date;
  /** Null where a program stored the session that knew no methods. */
  readonly methods:
    readonly { readonly method: UsedMethod['method']; readonly at: string }[] | null;
}

interface DetailsRow extends SessionRow {
  readonly handle: GrantingTicketHandle;
  readonly last_used_at: Date;
  readonly expires_at: Date;
  readonly remembered: boolean;
}

const COLUMNS = `encode(id, 'hex') as handle, principal, attributes, handler, credential_type, authenticated_at,
  methods, last_used_at, expires_at, remembered`;
const LIVE = 'session_id is null and expires_at > now()';

export class PostgresSessionAdministration implements SessionAdministration {
  /** @param durable runs what must survive a failover */
  constructor(
    private readonly pool: Pool,
    private readonly durable: Pick<DurableStatements, 'query'>,
    private readonly onEnded: () => void = () => {},
  ) {}

  async list({ principal, limit, after }: SessionQuery): Promise<readonly SessionDetails[]> {
    const rows = await this.query<DetailsRow>(
      `select ${COLUMNS} from ticket_granting_ticket
       where ${LIVE} ${principal === undefined ? '' : 'and principal = $4'}
         and ($1::timestamptz is null or (authenticated_at, id) < ($1::timestamptz, $2::bytea))
       order by authenticated_at desc, id desc limit $3`,
      [
        after?.authenticatedAt,
        after && `\\x${after.handle}`,
        limit,
        ...(principal === undefined ? [] : [principal]),
      ],
    );
    return rows.map(toDetails);
  }

  async find(handle: string): Promise<SessionDetails | undefined> {
    if (!HANDLE.test(handle)) return undefined;
    const { rows } = await this.pool.query<DetailsRow>({
      name: 'find-session',
      text: `select ${COLUMNS} from ticket_granting_ticket where id = $1 and ${LIVE}`,
      values: [`\\x${handle}`],
    });
    const [row] = rows;
    return row && toDetails(row);
  }

  async issueConsoleToken(handle: string): Promise<string | undefined> {
    if (!HANDLE.test(handle)) return undefined;
    const token = randomId(TOKEN_LENGTH);
    const issued = await this.query(
      `update ticket_granting_ticket set console_token_hash = $2 where id = $1 and ${LIVE} returning 1`,
      [`\\x${handle}`, `\\x${sha256(token)}`],
    );
    return issued.length === 1 ? token : undefined;
  }

  async findByConsoleToken(token: string): Promise<SessionDetails | undefined> {
    const [row] = await this.query<DetailsRow>(
      `select ${COLUMNS} from ticket_granting_ticket where console_token_hash = $1 and ${LIVE}`,
      [`\\x${sha256(token)}`],
    );
    return row && toDetails(row);
  }

  services(handle: GrantingTicketHandle): Promise<readonly SessionService[]> {
    return this.query(
      `select protocol, service as application, tickets as "sessionIndexes" from session_service
       where session_id = (select id from ticket_granting_ticket where id = $1 and ${LIVE})
       order by protocol, service`,
      [`\\x${handle}`],
    );
  }

  async end(handle: string): Promise<string | undefined> {
    if (!HANDLE.test(handle)) return undefined;
    const { rows } = await this.durable.query<{ readonly principal: string }>(
      `delete from ticket_granting_ticket where id = $1 and session_id is null returning principal`,
      [`\\x${handle}`],
    );
    const [ended] = rows;
    if (ended !== undefined) this.onEnded();
    return ended?.principal;
  }

  /** One by one: a statement that deletes several sessions could deadlock with one that uses them. */
  async endAll(principal: string, except?: GrantingTicketHandle): Promise<number> {
    const found = await this.query<{ readonly handle: GrantingTicketHandle }>(
      `select encode(id, 'hex') as handle from ticket_granting_ticket
       where principal = $1 and session_id is null and ($2::bytea is null or id <> $2)`,
      [principal, except && `\\x${except}`],
    );
    let ended = 0;
    for (const { handle } of found) if ((await this.end(handle)) !== undefined) ended += 1;
    return ended;
  }

  private async query<R extends object>(
    text: string,
    values: readonly unknown[],
  ): Promise<readonly R[]> {
    return (await this.pool.query<R>(text, [...values])).rows;
  }
}

export function toAuthentication(row: SessionRow): Authentication {
  return {
    principal: { id: row.principal, attributes: row.attributes },
    handler: row.handler,
    credentialType: row.credential_type,
    authenticatedAt: row.authenticated_at,
    methods: methodsOf(row),
  };
}

function methodsOf(row: SessionRow): readonly UsedMethod[] {
  const { methods, authenticated_at: at } = row;
  if (methods !== null) return methods.map((used) => ({ ...used, at: new Date(used.at) }));
  const isCertificate = row.credential_type.startsWith('X509');
  return [{ method: isCertificate ? 'certificate' : 'password', at }];
}

function toDetails(row: DetailsRow): SessionDetails {
  return {
    handle: row.handle,
    authentication: toAuthentication(row),
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    isRemembered: row.remembered,
  };
}
