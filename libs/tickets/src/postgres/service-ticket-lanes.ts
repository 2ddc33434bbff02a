// Owns batching of the hot statements: turns requests into arrays, rows into answers, and follows the ring.
import type { Pool } from 'pg';
import { isUnavailable } from '@tessera/database';
import { touchResolution, type TicketLifetimes } from '../lifetimes.js';
import { hashTicketId, newTicketId, type TicketId } from '../ticket-id.js';
import type { Grant, ServiceTicketRequest } from '../ticket-registry.js';
import { Coalescer } from './coalescer.js';
import { SLOTS, slotOf, type Slot } from './ring.js';
import { consumeStatement, grantStatement, type ConsumedRow, type GrantRow } from './statements.js';

/** Two under way: one is being answered while the other is on its way. */
const LANES = {
  concurrency: 2,
  batchSize: 100,
  isolates: (error: unknown) => !isUnavailable(error),
};
/** The ring turns at most once while a statement is sent again; more means a database gone wrong. */
const ATTEMPTS = 4;

const GRANT_TEXT = bySlot(grantStatement);
const CONSUME_TEXT = bySlot(consumeStatement);

interface GrantEntry {
  readonly request: ServiceTicketRequest;
  /** Where its answer belongs. */
  readonly place: number;
  readonly tgt: Buffer;
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
    private readonly lifetimes: TicketLifetimes,
    private readonly suffix: string | undefined,
  ) {}

  grant(request: ServiceTicketRequest): Promise<Grant> {
    return this.grants.submit(request);
  }

  consume(id: TicketId): Promise<ConsumedRow | undefined> {
    const slot = slotOf(id.text);
    return slot === undefined ? Promise.resolve(undefined) : this.consumptions[slot].submit(id);
  }

  /** Mints an id that carries the digit of its table. */
  mint(kind: 'ST' | 'PT', slot: Slot): TicketId {
    return newTicketId(kind, { mark: slot, ...(this.suffix && { suffix: this.suffix }) });
  }

  /** Sends `attempt` to the current table; when the ring has turned meanwhile, to the one it names instead. */
  async followRing<Row extends { verdict: string; slot: number }>(
    attempt: (slot: Slot) => Promise<Row[]>,
  ): Promise<Row[]> {
    for (let tried = 0; tried < ATTEMPTS; tried += 1) {
      const rows = await attempt(this.slot);
      this.slot = SLOTS[rows[0]?.slot ?? 0] ?? '0';
      if (rows[0]?.verdict !== 'stale') return rows;
    }
    throw new Error('the ring of service ticket tables turns faster than it can be followed');
  }

  /** The batch goes in the order of the sessions, so that batches that meet take their locks in one order. */
  private async grantBatch(batch: readonly ServiceTicketRequest[]): Promise<Grant[]> {
    const entries = batch
      .map((request, place) => ({ request, place, tgt: hashTicketId(request.grantingTicket) }))
      .toSorted((one, other) => one.tgt.compare(other.tgt));
    let ids: TicketId[] = [];
    const rows = await this.followRing(async (slot) => {
      ids = entries.map(() => this.mint('ST', slot));
      const answer = await this.pool.query<GrantRow>({
        name: `grant-${slot}`,
        text: GRANT_TEXT[slot],
        values: this.grantParameters(entries, ids),
      });
      return answer.rows;
    });
    const grants: Grant[] = [];
    for (const { n, verdict } of rows) {
      const entry = entries[n - 1];
      const id = ids[n - 1];
      if (!entry || !id || verdict === 'stale') throw new Error(`unexpected verdict ${verdict}`);
      grants[entry.place] = verdict === 'granted' ? { outcome: verdict, id } : { outcome: verdict };
    }
    return grants;
  }

  private grantParameters(entries: readonly GrantEntry[], ids: readonly TicketId[]): unknown[] {
    return [
      ids.map(hashTicketId),
      entries.map(({ tgt }) => tgt),
      entries.map(({ request }) => request.service),
      entries.map(({ request }) => request.withCredentials),
      entries.map(({ request }) => request.newLoginOnly),
      entries.map(({ tgt }, index) => !entries[index - 1]?.tgt.equals(tgt)),
      this.lifetimes.serviceTicket,
      this.lifetimes.grantingTicketIdle,
      touchResolution(this.lifetimes),
    ];
  }

  /** A ticket presented twice in one batch comes back once, for the earlier: the later finds it used. */
  private async consumeBatch(
    slot: Slot,
    batch: readonly TicketId[],
  ): Promise<(ConsumedRow | undefined)[]> {
    const answer = await this.pool.query<ConsumedRow>({
      name: `consume-${slot}`,
      text: CONSUME_TEXT[slot],
      values: [
        batch.map(hashTicketId),
        this.lifetimes.grantingTicketIdle,
        touchResolution(this.lifetimes),
      ],
    });
    const consumed = batch.map((): ConsumedRow | undefined => undefined);
    for (const row of answer.rows) consumed[row.n - 1] = row;
    return consumed;
  }
}

function bySlot<Value>(make: (slot: Slot) => Value): Readonly<Record<Slot, Value>> {
  return { 0: make('0'), 1: make('1'), 2: make('2'), 3: make('3') };
}
