// The ticket registry on PostgreSQL. All SQL on tickets is in this folder.
import type { Pool } from 'pg';
import type { DurableStatements } from '@tessera/database';
import { Coalescer } from './coalescer.js';
import { Logins } from './logins.js';
import { PostgresLogoutQueue } from './postgres-logout-queue.js';
import {
  PostgresSessionAdministration,
  toAuthentication,
  type SessionRow,
} from './postgres-session-administration.js';
import { rotate, slotOf, tableOf } from './ring.js';
import { ServiceTicketBatches } from './service-ticket-batches.js';
import { RECORD_APPLICATION, REMOVE_EXPIRED } from './statements.js';
import { keyOf } from './text-format.js';
import { touchResolution, type TicketLifetimes } from '../lifetimes.js';
import { newTicketId, type TicketId } from '../ticket-id.js';
import type {
  ApplicationSignIn,
  Authentication,
  CleaningReport,
  ConsumedTicket,
  Grant,
  GrantingTicketHandle,
  ProxyingService,
  ProxySession,
  SessionOptions,
  ServiceTicketRequest,
  TicketRegistry,
} from '../ticket-registry.js';

/** Maximum number of expired sessions, and of old logout messages, to remove at a time. */
const CLEANING_BATCH_SIZE = 1_000;
/** The minimum period of the ring, however short tickets live: each rotation costs a sync of the disk. */
const MIN_PERIOD_MS = 5_000;

/** Writes to the log, so that its commit waits for standbys, until they have what was committed before. */
const CONFIRM = `select pg_logical_emit_message(true, 'tessera', '')`;

interface ProxySessionRow extends SessionRow {
  readonly service: string | null;
  readonly callback_url: string;
}

export interface PostgresTicketRegistryOptions {
  readonly lifetimes: TicketLifetimes;
  /** The end of each id that this node creates; at most MAX_SUFFIX_LENGTH characters. */
  readonly suffix?: string | undefined;
  /** Runs what must survive a failover: new sessions, and their ends. Default: the pool. */
  readonly durable?: Pick<DurableStatements, 'query'>;
  /** Called after sessions have ended: the queue may have new messages. */
  readonly onSessionsEnded?: (() => void) | undefined;
}

/** Stores the SHA-256 of ids. Sessions are durable; service tickets are in UNLOGGED tables, which a crash empties. */
export class PostgresTicketRegistry implements TicketRegistry {
  readonly sessions: PostgresSessionAdministration;
  readonly logoutQueue: PostgresLogoutQueue;
  private readonly batches: ServiceTicketBatches;
  private readonly durable: Pick<DurableStatements, 'query'>;
  private readonly logins: Logins;
  /** A session that is not there may have ended by a commit that no standby has yet: its logout was not answered. */
  private readonly confirmations = new Coalescer(
    async (batch: readonly undefined[]) => {
      await this.durable.query(CONFIRM);
      return batch;
    },
    { statement: 'confirm-logout', batchSize: 1_000, isolates: () => false },
  );

  constructor(
    private readonly pool: Pool,
    private readonly options: PostgresTicketRegistryOptions,
  ) {
    this.durable = options.durable ?? pool;
    this.logins = new Logins(this.durable, options.lifetimes);
    this.sessions = new PostgresSessionAdministration(pool, this.durable, options.onSessionsEnded);
    this.logoutQueue = new PostgresLogoutQueue(pool);
    this.batches = new ServiceTicketBatches(pool, options.lifetimes, options.suffix);
  }

  async createTicketGrantingTicket(
    authentication: Authentication,
    options: SessionOptions = {},
  ): Promise<TicketId> {
    const id = this.mint('TGT');
    await this.logins.add({ id, authentication, options });
    return id;
  }

  async renewTicketGrantingTicket(id: TicketId, authentication: Authentication): Promise<boolean> {
    return id.kind === 'TGT' && this.logins.renew(id, authentication);
  }

  async createProxyGrantingTicket(
    parent: GrantingTicketHandle,
    { service, callbackUrl }: ProxyingService,
  ): Promise<TicketId | undefined> {
    const id = this.mint('PGT');
    const created = await this.pool.query(
      `insert into ticket_granting_ticket
         (id, parent_id, session_id, callback_url, proxies, service, expires_at, hard_expires_at)
       select $1, p.id, s.id, $3, case when p.session_id is null then array[$3::text] end, $4,
         'infinity', 'infinity'
       from ticket_granting_ticket p
       join ticket_granting_ticket s on s.id = coalesce(p.session_id, p.id)
       where p.id = $2 and s.expires_at > now()
       for key share`,
      [keyOf(id), `\\x${parent}`, callbackUrl, service],
    );
    return created.rowCount === 1 ? id : undefined;
  }

  async findTicketGrantingTicket(id: TicketId): Promise<Authentication | undefined> {
    if (id.kind !== 'TGT') return undefined;
    const found = await this.pool.query<SessionRow>({
      name: 'find-ticket-granting-ticket',
      text: `select principal, attributes, handler, credential_type, authenticated_at, methods
        from ticket_granting_ticket
        where id = $1 and session_id is null and expires_at > now()`,
      values: [keyOf(id)],
    });
    const session = found.rows[0];
    return session && toAuthentication(session);
  }

  async findProxyGrantingTicket(id: TicketId): Promise<ProxySession | undefined> {
    if (id.kind !== 'PGT') return undefined;
    const found = await this.pool.query<ProxySessionRow>(
      `select s.principal, s.attributes, s.handler, s.credential_type, s.authenticated_at,
         s.methods, p.service, coalesce(p.callback_url, p.proxies[1]) as callback_url
       from ticket_granting_ticket p
       join ticket_granting_ticket s on s.id = p.session_id
       where p.id = $1 and s.expires_at > now()`,
      [keyOf(id)],
    );
    const [row] = found.rows;
    if (row === undefined) return undefined;
    const { service, callback_url: callbackUrl } = row;
    const proxy = service === null ? undefined : { service, callbackUrl };
    return { authentication: toAuthentication(row), proxy };
  }

  grantServiceTicket(request: ServiceTicketRequest): Promise<Grant> {
    if (request.grantingTicket.kind !== 'TGT') {
      return Promise.resolve({ outcome: 'granting-ticket-not-found' });
    }
    return this.batches.grant(request);
  }

  grantProxyTicket(grantingTicket: TicketId, service: string, lifetime?: number): Promise<Grant> {
    if (grantingTicket.kind !== 'PGT') {
      return Promise.resolve({ outcome: 'granting-ticket-not-found' });
    }
    return this.batches.grantProxyTicket(grantingTicket, service, lifetime);
  }

  consume(
    id: TicketId,
    { recordsService = false }: { readonly recordsService?: boolean } = {},
  ): Promise<ConsumedTicket | undefined> {
    if (id.kind !== 'ST' && id.kind !== 'PT') return Promise.resolve(undefined);
    return this.batches.consume({ id, recordsService });
  }

  recordApplication(session: GrantingTicketHandle, signIn: ApplicationSignIn): Promise<boolean> {
    return this.useSession(session, signIn);
  }

  countUse(session: GrantingTicketHandle): Promise<boolean> {
    return this.useSession(session);
  }

  private async useSession(
    session: GrantingTicketHandle,
    { protocol, application, sessionIndex }: Partial<ApplicationSignIn> = {},
  ): Promise<boolean> {
    const { lifetimes } = this.options;
    const recorded = await this.pool.query({
      name: 'record-application',
      text: RECORD_APPLICATION,
      values: [
        `\\x${session}`,
        protocol,
        application,
        sessionIndex,
        lifetimes.grantingTicketIdle,
        touchResolution(lifetimes),
      ],
    });
    return recorded.rowCount === 1;
  }

  async isLive(id: TicketId): Promise<boolean> {
    const query = liveQuery(id);
    if (query === undefined) return false;
    const answer = await this.pool.query(query, [keyOf(id)]);
    return answer.rowCount === 1;
  }

  async destroy(id: TicketId): Promise<string | undefined> {
    const query = destroyQuery(id);
    if (query === undefined) return undefined;
    const statements = id.kind === 'ST' || id.kind === 'PT' ? this.pool : this.durable;
    const { rows } = await statements.query<{ readonly principal?: string }>(query, [keyOf(id)]);
    const [ended] = rows;
    if (ended?.principal !== undefined) this.options.onSessionsEnded?.();
    else if (id.kind === 'TGT') await this.confirmations.submit(undefined);
    return ended?.principal;
  }

  async clean(): Promise<CleaningReport> {
    const { serviceTicket, proxyTicket } = this.options.lifetimes;
    const period = Math.max(MIN_PERIOD_MS, serviceTicket, proxyTicket);
    const rotated = await rotate(this.pool, period);
    const removed = await this.pool.query(REMOVE_EXPIRED, [CLEANING_BATCH_SIZE]);
    const sessions = removed.rowCount ?? 0;
    if (sessions > 0) this.options.onSessionsEnded?.();
    await this.logoutQueue.removeOld(CLEANING_BATCH_SIZE);
    return { sessions, rotated };
  }

  private mint(kind: 'TGT' | 'PGT'): TicketId {
    return newTicketId(kind, this.options.suffix ? { suffix: this.options.suffix } : {});
  }
}

function liveQuery(id: TicketId): string | undefined {
  switch (id.kind) {
    case 'TGT':
      return `select from ticket_granting_ticket
        where id = $1 and session_id is null and expires_at > now()`;
    case 'PGT':
      return `select from ticket_granting_ticket p
        join ticket_granting_ticket s on s.id = p.session_id
        where p.id = $1 and s.expires_at > now()`;
    case 'ST':
    case 'PT': {
      const slot = slotOf(id.text);
      return (
        slot &&
        `select from ${tableOf(slot)} t
         join ticket_granting_ticket s on s.id = t.session_id and s.expires_at > now()
         where t.id = $1 and t.expires_at > now() and (t.proxy_granting_ticket_id is null
           or exists (select from ticket_granting_ticket p where p.id = t.proxy_granting_ticket_id))`
      );
    }
    case 'PGTIOU':
    case 'LR':
      return undefined;
  }
}

function destroyQuery(id: TicketId): string | undefined {
  switch (id.kind) {
    case 'TGT':
      return `delete from ticket_granting_ticket where id = $1 and session_id is null
        returning principal`;
    case 'PGT':
      return 'delete from ticket_granting_ticket where id = $1 and session_id is not null';
    case 'ST':
    case 'PT': {
      const slot = slotOf(id.text);
      return slot && `delete from ${tableOf(slot)} where id = $1`;
    }
    case 'PGTIOU':
    case 'LR':
      return undefined;
  }
}
