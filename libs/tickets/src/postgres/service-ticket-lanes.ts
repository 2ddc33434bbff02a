// Owns batching of the hot statements: turns requests into arrays, rows into answers, and follows the ring.
import type { Pool } from 'pg';
import { isUnavailable, PreparedStatement } from '@tessera/database';
import { touchResolution, type TicketLifetimes } from '../lifetimes.js';
import { hashTicketId, newTicketId, type TicketId } from '../ticket-id.js';
import type { ConsumedTicket, Grant, ServiceTicketRequest } from '../ticket-registry.js';
import { Coalescer } from './coalescer.js';
import { slotOf, type Slot } from './ring.js';
import { consumeStatement, grantProxyTicketStatement, grantStatement } from './statements.js';
import {
  booleanArray,
  keyArray,
  keyOf,
  readConsumedRow,
  readGrantRow,
  textArray,
  type GrantRow,
} from './text-format.js';

const LANES = {
  batchSize: 100,
  isolates: (error: unknown) => !isUnavailable(error),
};
/** The ring turns at most once while a statement is sent again; more means a database gone wrong. */
const ATTEMPTS = 4;

const GRANT = prepared('grant', grantStatement);
const GRANT_PROXY_TICKET = prepared('grant-proxy-ticket', grantProxyTicketStatement);
const CONSUME = prepared('consume', consumeStatement);

interface GrantEntry {
  readonly request: ServiceTicketRequest;
  /** Where its answer belongs. */
  readonly place: number;
  /** Hash of the TGT. */
  readonly tgt: string;
}

/** Grants and consumes service tickets, many callers to a statement. */
export class ServiceTicketLanes {
  private slot: Slot = '0';
  private readonly grants = new Coalescer(
    (batch: readonly ServiceTicketRequest[]) => this.grantBatch(batch),
    LANES,
  );
  private readonly consumptions = bySlot(
    (slot) => new Coalescer((batch: readonly TicketId[]) => this.consumeBatch(slot, batch), LANES),
  );

  constructor(
    private readonly pool: Pool,
    /** Those in force; asked once a statement. */
    private readonly lifetimes: () => TicketLifetimes,
    private readonly suffix: string | undefined,
  ) {}

  grant(request: ServiceTicketRequest): Promise<Grant> {
    return this.grants.submit(request);
  }

  /** Asked for seldom, so each request has a statement to itself. */
  async grantProxyTicket(grantingTicket: TicketId, service: string): Promise<Grant> {
    let id: TicketId | undefined;
    const lifetimes = this.lifetimes();
    const [row] = await this.followRing(async (slot) => {
      id = this.mint('PT', slot);
      const rows = await GRANT_PROXY_TICKET[slot].execute(this.pool, [
        keyOf(id),
        keyOf(grantingTicket),
        service,
        String(lifetimes.proxyTicket),
        ...touchParameters(lifetimes),
      ]);
      return rows.map(readGrantRow);
    });
    return row?.verdict === 'granted' && id !== undefined
      ? { outcome: 'granted', id }
      : { outcome: 'granting-ticket-not-found' };
  }

  consume(id: TicketId): Promise<ConsumedTicket | undefined> {
    const slot = slotOf(id.text);
    return slot === undefined ? Promise.resolve(undefined) : this.consumptions[slot].submit(id);
  }

  /** Mints an id that carries the digit of its table. */
  private mint(kind: 'ST' | 'PT', slot: Slot): TicketId {
    return newTicketId(kind, { mark: slot, ...(this.suffix && { suffix: this.suffix }) });
  }

  /** Sends `attempt` to the current table; when the ring has turned meanwhile, to the one it names instead. */
  private async followRing(attempt: (slot: Slot) => Promise<GrantRow[]>): Promise<GrantRow[]> {
    for (let tried = 0; tried < ATTEMPTS; tried += 1) {
      const rows = await attempt(this.slot);
      this.slot = rows[0]?.slot ?? this.slot;
      if (rows[0]?.verdict !== 'stale') return rows;
    }
    throw new Error('the ring of service ticket tables turns faster than it can be followed');
  }

  /** The batch goes in the order of the sessions, so that batches that meet take their locks in one order. */
  private async grantBatch(batch: readonly ServiceTicketRequest[]): Promise<Grant[]> {
    const entries = batch
      .map((request, place) => ({ request, place, tgt: hashTicketId(request.grantingTicket) }))
      .toSorted((one, other) => (one.tgt < other.tgt ? -1 : Number(one.tgt > other.tgt)));
    let ids: TicketId[] = [];
    const rows = await this.followRing(async (slot) => {
      ids = entries.map(() => this.mint('ST', slot));
      const parameters = this.grantParameters(entries, ids);
      return (await GRANT[slot].execute(this.pool, parameters)).map(readGrantRow);
    });
    const grants: Grant[] = [];
    for (const { place, verdict } of rows) {
      const entry = entries[place];
      const id = ids[place];
      if (!entry || !id || verdict === 'stale') throw new Error(`unexpected verdict ${verdict}`);
      grants[entry.place] = verdict === 'granted' ? { outcome: verdict, id } : { outcome: verdict };
    }
    return grants;
  }

  private grantParameters(entries: readonly GrantEntry[], ids: readonly TicketId[]): string[] {
    const lifetimes = this.lifetimes();
    return [
      keyArray(ids.map(hashTicketId)),
      keyArray(entries.map(({ tgt }) => tgt)),
      textArray(entries.map(({ request }) => request.service)),
      booleanArray(entries.map(({ request }) => request.withCredentials)),
      booleanArray(entries.map(({ request }) => request.newLoginOnly)),
      booleanArray(entries.map(({ tgt }, index) => entries[index - 1]?.tgt !== tgt)),
      String(lifetimes.serviceTicket),
      ...touchParameters(lifetimes),
    ];
  }

  /** A ticket presented twice in one batch comes back once, for the earlier: the later finds it used. */
  private async consumeBatch(
    slot: Slot,
    batch: readonly TicketId[],
  ): Promise<(ConsumedTicket | undefined)[]> {
    const rows = await CONSUME[slot].execute(this.pool, [
      keyArray(batch.map(hashTicketId)),
      ...touchParameters(this.lifetimes()),
    ]);
    const consumed = batch.map((): ConsumedTicket | undefined => undefined);
    for (const { place, ticket } of rows.map(readConsumedRow)) consumed[place] = ticket;
    return consumed;
  }
}

/** Idle time and touch resolution, in ms. */
function touchParameters(lifetimes: TicketLifetimes): [string, string] {
  return [String(lifetimes.grantingTicketIdle), String(touchResolution(lifetimes))];
}

function prepared(
  name: string,
  text: (slot: Slot) => string,
): Readonly<Record<Slot, PreparedStatement>> {
  return bySlot((slot) => new PreparedStatement(`${name}-${slot}`, text(slot)));
}

function bySlot<Value>(make: (slot: Slot) => Value): Readonly<Record<Slot, Value>> {
  return { 0: make('0'), 1: make('1'), 2: make('2'), 3: make('3') };
}
