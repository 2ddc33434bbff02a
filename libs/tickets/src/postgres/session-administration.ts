// The sessions of all users, for operators: finds and ends them.
import type { Pool } from 'pg';
import { randomId, sha256 } from '@tessera/crypto';
import { toDatabaseError } from '@tessera/database';
import type { Principal } from '@tessera/services';
import type { Authentication, GrantingTicketHandle, SessionService } from '../ticket-registry.js';

const HANDLE = /^[0-9a-f]{64}$/;
/** 43 characters carry 256 bits. */
const TOKEN_LENGTH = 43;

/** A live session. */
export interface SessionDetails {
  readonly handle: GrantingTicketHandle;
  readonly authentication: Authentication;
  /** To the minute. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  /** It ends only at its hard limit (remember-me). */
  readonly isRemembered: boolean;
}

/** The place of a session in the order of login; times as ISO 8601 text in microseconds. */
export interface SessionPosition {
  readonly authenticatedAt: string;
  readonly handle: string;
}

export interface SessionQuery {
  /** The id of the principal; undefined for all users. */
  readonly principal?: string | undefined;
  readonly limit: number;
  readonly after?: SessionPosition | undefined;
}

interface SessionRow {
  readonly handle: GrantingTicketHandle;
  readonly principal: string;
  readonly attributes: Principal['attributes'];
  readonly handler: string;
  readonly credential_type: string;
  readonly authenticated_at: Date;
  readonly position: string;
  readonly last_used_at: Date;
  readonly expires_at: Date;
  readonly remembered: boolean;
}

const COLUMNS = `encode(id, 'hex') as handle, principal, attributes, handler, credential_type, authenticated_at,
  to_char(authenticated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position,
  last_used_at, expires_at, remembered`;
const LIVE = 'session_id is null and expires_at > now()';

/** @throws DatabaseError DATABASE_UNAVAILABLE */
export class SessionAdministration {
  constructor(private readonly pool: Pool) {}

  /** The last login first. @returns each session with its position */
  async list({
    principal,
    limit,
    after,
  }: SessionQuery): Promise<readonly (SessionDetails & { readonly position: SessionPosition })[]> {
    const rows = await this.query<SessionRow>(
      `select ${COLUMNS} from ticket_granting_ticket
       where ${LIVE} and ($1::text is null or principal = $1)
         and ($2::timestamptz is null or (authenticated_at, id) < ($2::timestamptz, $3::bytea))
       order by authenticated_at desc, id desc limit $4`,
      [principal, after?.authenticatedAt, after && `\\x${after.handle}`, limit],
    );
    return rows.map((row) => ({
      ...toDetails(row),
      position: { authenticatedAt: row.position, handle: row.handle },
    }));
  }

  /** Undefined for any other text than the handle of a live session. Does not count as a use. */
  async find(handle: string): Promise<SessionDetails | undefined> {
    if (!HANDLE.test(handle)) return undefined;
    const [row] = await this.query<SessionRow>(
      `select ${COLUMNS} from ticket_granting_ticket where id = $1 and ${LIVE}`,
      [`\\x${handle}`],
    );
    return row && toDetails(row);
  }

  /**
   * Makes a token by which {@link findByConsoleToken} finds the session; an earlier one is worth nothing any more. Only its
   * hash is stored: a handle is no secret.
   *
   * @returns undefined for any other text than the handle of a live session
   */
  async issueConsoleToken(handle: string): Promise<string | undefined> {
    if (!HANDLE.test(handle)) return undefined;
    const token = randomId(TOKEN_LENGTH);
    const issued = await this.query(
      `update ticket_granting_ticket set console_token_hash = $2 where id = $1 and ${LIVE} returning 1`,
      [`\\x${handle}`, `\\x${sha256(token)}`],
    );
    return issued.length === 1 ? token : undefined;
  }

  /** The live session of a token; undefined for any other text. Does not count as a use. */
  async findByConsoleToken(token: string): Promise<SessionDetails | undefined> {
    const [row] = await this.query<SessionRow>(
      `select ${COLUMNS} from ticket_granting_ticket where console_token_hash = $1 and ${LIVE}`,
      [`\\x${sha256(token)}`],
    );
    return row && toDetails(row);
  }

  /** The services of a session that are told when it ends, by their URL. */
  services({ handle }: SessionDetails): Promise<readonly SessionService[]> {
    return this.query<SessionService>(
      'select service, tickets from session_service where session_id = $1 order by service',
      [`\\x${handle}`],
    );
  }

  /**
   * Ends a session with its tickets; its services are told.
   * @returns the id of its principal; undefined for any other text than the handle of a session
   */
  async end(handle: string): Promise<string | undefined> {
    if (!HANDLE.test(handle)) return undefined;
    const [ended] = await this.query<{ readonly principal: string }>(
      `delete from ticket_granting_ticket where id = $1 and session_id is null returning principal`,
      [`\\x${handle}`],
    );
    return ended?.principal;
  }

  /** Ends all sessions of a user. @returns their number */
  async endAll(principal: string): Promise<number> {
    const ended = await this.query(
      `delete from ticket_granting_ticket where principal = $1 and session_id is null returning 1`,
      [principal],
    );
    return ended.length;
  }

  private async query<R extends object>(
    text: string,
    values: readonly unknown[],
  ): Promise<readonly R[]> {
    try {
      const { rows } = await this.pool.query<R>(text, [...values]);
      return rows;
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}

function toDetails(row: SessionRow): SessionDetails {
  const { handle, principal, attributes, handler } = row;
  return {
    handle,
    authentication: {
      principal: { id: principal, attributes },
      handler,
      credentialType: row.credential_type,
      authenticatedAt: row.authenticated_at,
    },
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    isRemembered: row.remembered,
  };
}
