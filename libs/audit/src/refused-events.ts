// Counts refused events of callers that cause very many of them, so that nobody can fill the audit trail.
import { networkOf } from '@tessera/runtime';
import type { AuditRecord } from './audit-event.js';

const WINDOW_MS = 10_000;
/** Events of a network that are stored themselves, in a window. */
const MAX_STORED = 20;
/** In a window, and in a second. Of further networks there is one count. */
const MAX_NETWORKS = 200;
const SECOND_MS = 1_000;

interface Count {
  readonly record: AuditRecord;
  count: number;
}

export class RefusedEvents {
  /** By network: how many events of the window are stored themselves. */
  private readonly stored = new Map<string, number>();
  private windowEnd = 0;
  /** By second, network, action and reason; the oldest first. */
  private readonly counts = new Map<string, Count>();

  /** The number of records that {@link take} will give. */
  get size(): number {
    return this.counts.size;
  }

  /** Counts a refused event where its network has caused many. @returns false where the event is to be stored itself */
  count(record: AuditRecord): boolean {
    const { outcome, clientAddress } = record;
    if (outcome === 'success' || !clientAddress) return false;
    const network = networkOf(clientAddress);
    if (this.isStored(network, record.occurredAt.getTime())) return false;
    const count = this.countOf(record, network) ?? this.countOf(record, null);
    if (count !== undefined) count.count += 1;
    return true;
  }

  /** One record for each count, and forgets it. @param before a time, in milliseconds: only counts of seconds that are over */
  take(before: number): AuditRecord[] {
    const ended = Array.from(this.counts).filter(
      ([, { record }]) => secondOf(record) < Math.floor(before / SECOND_MS),
    );
    return ended.map(([key, { record, count }]) => {
      this.counts.delete(key);
      return { ...record, details: { count } };
    });
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

  /** Undefined where there are too many counts for one more network. */
  private countOf(record: AuditRecord, network: string | null): Count | undefined {
    const { action, outcome, reason } = record;
    const key = [secondOf(record), network, action, outcome, reason].join(' ');
    const known = this.counts.get(key);
    if (known !== undefined) return known;
    if (network !== null && this.counts.size >= MAX_NETWORKS) return undefined;
    const count = { record: withoutCaller(record, network), count: 0 };
    this.counts.set(key, count);
    return count;
  }
}

function secondOf({ occurredAt }: AuditRecord): number {
  return Math.floor(occurredAt.getTime() / SECOND_MS);
}

function withoutCaller(record: AuditRecord, network: string | null): AuditRecord {
  const nothing = { principal: null, subject: null, service: null, session: null, requestId: null };
  return { ...record, ...nothing, clientAddress: network };
}
