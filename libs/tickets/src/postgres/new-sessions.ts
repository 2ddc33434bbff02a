// Stores new sessions, many logins per statement: each commit waits for the disk, and for a synchronous standby.
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

/** Its parameters are arrays with one element a session. $7 and $8 are lifetime and idle time in ms. */
const INSERT = `
insert into ticket_granting_ticket
  (id, principal, attributes, handler, credential_type, authenticated_at, expires_at, hard_expires_at,
   remembered, service_ticket_granted, password_changed_at)
select id, principal, attributes::json, handler, credential_type, authenticated_at,
  now() + least(lifetime, idle) * interval '1 millisecond', now() + lifetime * interval '1 millisecond',
  remembered, of_browser, password_changed_at
from unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::float8[],
  $8::float8[], $9::boolean[], $10::boolean[], $11::timestamptz[])
  as new (id, principal, attributes, handler, credential_type, authenticated_at, lifetime, idle, remembered,
    of_browser, password_changed_at)`;

export class NewSessions {
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
    const { principal, handler, credentialType } = authentication;
    return [
      keyOf(id),
      principal.id,
      JSON.stringify(principal.attributes),
      handler,
      credentialType,
      authentication.authenticatedAt,
      isRemembered ? rememberedGrantingTicket : grantingTicketMax,
      isRemembered ? rememberedGrantingTicket : grantingTicketIdle,
      isRemembered,
      isOfBrowser,
      authentication.passwordChangedAt,
    ];
  }
}

function nameOf({ authentication }: NewSession): string {
  return authentication.principal.id;
}
