// Stores logins. New sessions share statements: each commit waits for the disk, and for a synchronous standby.
import type { DurableStatements } from '@tessera/database';
import type { TicketLifetimes } from '../lifetimes.js';
import type { TicketId } from '../ticket-id.js';
import type { Authentication, SessionOptions } from '../ticket-registry.js';
import { Coalescer } from './coalescer.js';
import { isOfOneRequest } from './batch-errors.js';
import { keyOf } from './text-format.js';

export interface NewSession {
  readonly id: TicketId;
  readonly authentication: Authentication;
  readonly options: SessionOptions;
}

/** Its parameters are arrays with one element a session. $9 and $10 are lifetime and idle time in ms. */
const INSERT = `
insert into ticket_granting_ticket
  (id, principal, attributes, handler, credential_type, authenticated_at, password_changed_at, methods, expires_at,
   hard_expires_at, remembered, service_ticket_granted)
select id, principal, attributes::json, handler, credential_type, authenticated_at, password_changed_at, methods::jsonb,
  now() + least(lifetime, idle) * interval '1 millisecond', now() + lifetime * interval '1 millisecond',
  remembered, of_browser
from unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::text[],
  $9::float8[], $10::float8[], $11::boolean[], $12::boolean[])
  as new (id, principal, attributes, handler, credential_type, authenticated_at, password_changed_at, methods, lifetime, idle,
    remembered, of_browser)`;

/**
 * $1 session, $2 principal, $3 attributes, $4 handler, $5 kind of credential, $6 time, $7 when the password was set, $8 methods,
 * $9 idle time in ms. A session that this statement sees began after each change of the account that it does not see, and such
 * a change ends the session. So the account needs no lock. Of two logins at the same time the later one stays. It has subqueries
 * as the statements of statements.ts, because no plan may depend on statistics.
 */
const RENEW = `
with live as (
  select id, authenticated_at from (
    select id, principal, authenticated_at from ticket_granting_ticket
    where id = $1 and session_id is null and expires_at > now() offset 0 for no key update) as session
  where principal = $2
    and ($7::timestamptz is null or exists (
      select from user_account
      where name = $2 and not disabled and password_changed_at < $7::timestamptz + interval '1 millisecond'))
), renewed as (
  update ticket_granting_ticket
  set attributes = $3::json, handler = $4, credential_type = $5, authenticated_at = $6, password_changed_at = $7,
    methods = $8::jsonb, last_used_at = now(),
    expires_at = least(hard_expires_at,
      case when remembered then hard_expires_at else now() + $9::float8 * interval '1 millisecond' end)
  where id = (select id from live where authenticated_at <= $6)
)
select from live`;

export class Logins {
  private readonly inserts = new Coalescer(
    async (batch: readonly NewSession[]) => {
      await this.insert(batch);
      return batch.map(() => undefined);
    },
    {
      statement: 'create-session',
      batchSize: 100,
      isolates: isOfOneRequest,
    },
  );

  constructor(
    private readonly durable: Pick<DurableStatements, 'query'>,
    private readonly lifetimes: TicketLifetimes,
  ) {}

  /** Returns when the session is durable. */
  async add(session: NewSession): Promise<void> {
    await this.inserts.submit(session);
  }

  /** @returns false where there is no such session of the user */
  async renew(id: TicketId, authentication: Authentication): Promise<boolean> {
    const { grantingTicketIdle } = this.lifetimes;
    const values = [keyOf(id), ...contentOf(authentication), grantingTicketIdle];
    const renewed = await this.durable.query({ name: 'renew-session', text: RENEW, values });
    return renewed.rowCount === 1;
  }

  /** A trigger locks the accounts of the users: sorted, so that two batches lock them in one order. */
  private async insert(batch: readonly NewSession[]): Promise<void> {
    const sorted = batch.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    const rows = sorted.map((session) => this.valuesOf(session));
    const columns = (rows[0] ?? []).map((_value, column) => rows.map((row) => row[column]));
    await this.durable.query({ name: 'create-session', text: INSERT, values: columns });
  }

  private valuesOf({ id, authentication, options }: NewSession): readonly unknown[] {
    const { isRemembered = false, isOfBrowser = false } = options;
    const { grantingTicketMax, grantingTicketIdle, rememberedGrantingTicket } = this.lifetimes;
    return [
      keyOf(id),
      ...contentOf(authentication),
      isRemembered ? rememberedGrantingTicket : grantingTicketMax,
      isRemembered ? rememberedGrantingTicket : grantingTicketIdle,
      isRemembered,
      isOfBrowser,
    ];
  }
}

function contentOf(authentication: Authentication): readonly unknown[] {
  const { principal, handler, credentialType, authenticatedAt, methods } = authentication;
  return [
    principal.id,
    JSON.stringify(principal.attributes),
    handler,
    credentialType,
    authenticatedAt,
    authentication.passwordChangedAt,
    JSON.stringify(methods),
  ];
}

function nameOf({ authentication }: NewSession): string {
  return authentication.principal.id;
}
