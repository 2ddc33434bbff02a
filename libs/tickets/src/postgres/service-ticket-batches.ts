// Batches the hot statements: writes requests as arrays, reads rows as results, and follows the ring.
import type { Pool } from 'pg';
import { PreparedStatement } from '@tessera/database';
import { touchResolution, type TicketLifetimes } from '../lifetimes.js';
import { hashTicketId, newTicketId, type TicketId } from '../ticket-id.js';
import type { ConsumedTicket, Grant, ServiceTicketRequest } from '../ticket-registry.js';
import { Coalescer } from './coalescer.js';
import { isOfOneRequest } from './batch-errors.js';
import { slotOf, type Slot } from './ring.js';
import {
  consumeAndRecordStatement,
  consumeStatement,
  grantProxyTicketStatement,
  grantStatement,
} from './statements.js';
import {
  booleanArray,
  keyArray,
  keyOf,
  readConsumedRow,
  readGrantRow,
  textArray,
  type GrantRow,
} from './text-format.js';

const BATCHING = { batchSize: 100, isolates: isOfOneRequest };
/** The ring rotates at most once while a statement is repeated; more is an error of the database. */
const MAX_ATTEMPTS = 4;

const GRANT = prepared('grant', grantStatement);
const GRANT_PROXY_TICKET = prepared('grant-proxy-ticket', grantProxyTicketStatement);
const CONSUME = prepared('consume', consumeStatement);
const CONSUME_AND_RECORD = prepared('consume-and-record', consumeAndRecordStatement);

interface Consumption {
  readonly id: TicketId;
  readonly recordsService: boolean;
}

interface GrantEntry {
  readonly request: ServiceTicketRequest;
  /** Its position in the batch. */
  readonly place: number;
  /** Hash of the TGT. */
  readonly tgt: string;
}

/** Grants and consumes service tickets, many requests per statement. */
export class ServiceTicketBatches {
  private slot: Slot = '0';
  private readonly grants = new Coalescer(
    (batch: readonly ServiceTicketRequest[]) => this.grantBatch(batch),
    { ...BATCHING, statement: 'grant' },
  );
  private readonly consumptions = bySlot(
    (slot) =>
      new Coalescer((batch: readonly Consumption[]) => this.consumeBatch(slot, batch), {
        ...BATCHING,
        statement: 'consume',
      }),
  );

  constructor(
    private readonly pool: Pool,
    private readonly lifetimes: TicketLifetimes,
    private readonly suffix: string | undefined,
  ) {}

  grant(request: ServiceTicketRequest): Promise<Grant> {
    return this.grants.submit(request);
  }

  /** PTs are rare, so each request has its own statement. */
  async grantProxyTicket(
    grantingTicket: TicketId,
    service: string,
    lifetime = Infinity,
  ): Promise<Grant> {
    let id: TicketId | undefined;
    const { lifetimes } = this;
    const [row] = await this.followRing(async (slot) => {
      id = this.mint('PT', slot);
      const rows = await GRANT_PROXY_TICKET[slot].execute(this.pool, [
        keyOf(id),
        keyOf(grantingTicket),
        service,
        String(Math.min(lifetimes.proxyTicket, lifetime)),
        ...touchParameters(lifetimes),
      ]);
      return rows.map(readGrantRow);
    });
    return row?.verdict === 'granted' && id !== undefined
      ? { outcome: 'granted', id, principal: row.principal ?? '' }
      : { outcome: 'granting-ticket-not-found' };
  }

  async consume(consumption: Consumption): Promise<ConsumedTicket | undefined> {
    const slot = slotOf(consumption.id.text);
    return slot && this.consumptions[slot].submit(consumption);
  }

  /** Creates an id with the digit of its table. */
  private mint(kind: 'ST' | 'PT', slot: Slot): TicketId {
    return newTicketId(kind, { mark: slot, ...(this.suffix && { suffix: this.suffix }) });
  }

  /** Runs `attempt` on the current table; where the ring has rotated, again on the table that the result names. */
  private async followRing(attempt: (slot: Slot) => Promise<GrantRow[]>): Promise<GrantRow[]> {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const rows = await attempt(this.slot);
      this.slot = rows[0]?.slot ?? this.slot;
      if (rows[0]?.verdict !== 'stale') return rows;
    }
    throw new Error('the ring of service ticket tables rotates faster than it can be followed');
  }

  /** Sorts the batch by session, so that concurrent batches take their locks in one order. */
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
    for (const { place, verdict, principal = '' } of rows) {
      const entry = entries[place];
      const id = ids[place];
      if (!entry || !id || verdict === 'stale') throw new Error(`unexpected verdict ${verdict}`);
      grants[entry.place] =
        verdict === 'granted' ? { outcome: verdict, id, principal } : { outcome: verdict };
    }
    return grants;
  }

  private grantParameters(entries: readonly GrantEntry[], ids: readonly TicketId[]): string[] {
    const { lifetimes } = this;
    return [
      keyArray(ids.map(hashTicketId)),
      keyArray(entries.map(({ tgt }) => tgt)),
      textArray(entries.map(({ request }) => request.service)),
      booleanArray(entries.map(({ request }) => request.withCredentials)),
      booleanArray(entries.map(({ request }) => request.newLoginOnly)),
      booleanArray(entries.map(({ tgt }, at) => at === 0 || entries[at - 1]?.tgt !== tgt)),
      // The ring keeps no ticket for longer than the setting says.
      textArray(
        entries.map(({ request: { lifetime = Infinity } }) =>
          String(Math.min(lifetimes.serviceTicket, lifetime)),
        ),
      ),
      ...touchParameters(lifetimes),
    ];
  }

  /** A ticket presented twice in one batch is consumed by the earlier request; the later one finds it used. */
  private async consumeBatch(
    slot: Slot,
    batch: readonly Consumption[],
  ): Promise<(ConsumedTicket | undefined)[]> {
    const parameters = [
      keyArray(batch.map(({ id }) => hashTicketId(id))),
      ...touchParameters(this.lifetimes),
    ];
    const recorded = batch.map(({ id, recordsService }) => (recordsService ? id.text : ''));
    const rows = recorded.some(Boolean)
      ? await CONSUME_AND_RECORD[slot].execute(this.pool, [...parameters, textArray(recorded)])
      : await CONSUME[slot].execute(this.pool, parameters);
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
