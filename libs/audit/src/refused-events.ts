// Counts refused events of callers that cause very many of them, so that nobody can fill the audit trail.
import { networkOf } from '@tessera/runtime';
import type { AuditRecord } from './audit-event.js';

const WINDOW_MS = 10_000;
/** Events of a network that are stored themselves, in a window. */
const MAX_STORED = 20;
/** In a window, and in a second. Of further networks there is one count. */
const MAX_NETWORKS = 200;
const SECOND_MS = 1_000;
/** Principals that are counted, and of which the number is stored: of those with the most events. */
const MAX_PRINCIPALS = 10_000;
const MAX_STORED_PRINCIPALS = 5;

interface Count {
  readonly record: AuditRecord;
  count: number;
}

type Counts = Map<string, Count>;

export class RefusedEvents {
  /** By network: how many events of the window are stored themselves. */
  private readonly stored = new Map<string, number>();
  private windowEnd = 0;
  /** By second, network, action and reason; the oldest first. */
  private readonly counts: Counts = new Map();
  /** Events with a principal, by principal, too. They are not in {@link counts}. */
  private readonly countsOfPrincipals: Counts = new Map();

  /** Whether {@link take} will give records. */
  get isEmpty(): boolean {
    return this.counts.size + this.countsOfPrincipals.size === 0;
  }

  /** Counts a refused event where its network has caused many. @returns false where the event is to be stored itself */
  count(record: AuditRecord): boolean {
    const { outcome, clientAddress, principal } = record;
    if (outcome === 'success' || !clientAddress) return false;
    const network = networkOf(clientAddress);
    if (this.isStored(network, record.occurredAt.getTime())) return false;
    const counted = withoutCaller(record, network);
    const isFull = this.countsOfPrincipals.size >= MAX_PRINCIPALS;
    if (principal === null || isFull) this.add(counted, 1);
    else countOf(this.countsOfPrincipals, { ...counted, principal }).count += 1;
    return true;
  }

  /**
   * One record for each count, and forgets it. The principals with the most events have records of their own, so that nobody
   * hides among other events whose password is guessed.
   *
   * @param before a time, in milliseconds: only counts of seconds that are over
   */
  take(before: number): AuditRecord[] {
    const ofPrincipals = takeEnded(this.countsOfPrincipals, before);
    ofPrincipals.sort((one, other) => other.count - one.count);
    for (const { record, count } of ofPrincipals.splice(MAX_STORED_PRINCIPALS)) {
      this.add({ ...record, principal: null }, count);
    }
    return [...takeEnded(this.counts, before), ...ofPrincipals].map(({ record, count }) => ({
      ...record,
      details: { count },
    }));
  }

  private isStored(network: string, time: number): boolean {
    if (time >= this.windowEnd || time < this.windowEnd - WINDOW_MS) {
      this.windowEnd = time + WINDOW_MS;
      this.stored.clear();
    }
    const stored = this.stored.get(network) ?? (this.stored.size < MAX_NETWORKS ? 0 : MAX_STORED);
    if (stored === MAX_STORED) return false;
    this.stored.set(network, stored + 1);
    return true;
  }

  /** Counts for the network of a record, and for no network where there are too many. */
  private add(record: AuditRecord, count: number): void {
    const isKnown = this.counts.has(keyOf(record)) || this.counts.size < MAX_NETWORKS;
    const counted = isKnown ? record : { ...record, clientAddress: null };
    countOf(this.counts, counted).count += count;
  }
}

function countOf(counts: Counts, record: AuditRecord): Count {
  const key = keyOf(record);
  const count = counts.get(key) ?? { record, count: 0 };
  counts.set(key, count);
  return count;
}

function takeEnded(counts: Counts, before: number): Count[] {
  const ended = Array.from(counts).filter(
    ([, { record }]) => secondOf(record) < Math.floor(before / SECOND_MS),
  );
  for (const [key] of ended) counts.delete(key);
  return ended.map(([, count]) => count);
}

function keyOf(record: AuditRecord): string {
  const { clientAddress, action, outcome, reason, principal } = record;
  return [secondOf(record), clientAddress, action, outcome, reason, principal].join(' ');
}

function secondOf({ occurredAt }: AuditRecord): number {
  return Math.floor(occurredAt.getTime() / SECOND_MS);
}

function withoutCaller(record: AuditRecord, network: string): AuditRecord {
  const nothing = { principal: null, subject: null, service: null, session: null, requestId: null };
  return { ...record, ...nothing, details: null, clientAddress: network };
}
