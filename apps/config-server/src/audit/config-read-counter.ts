// Counts equal reads of settings, so that they are one audit event a minute instead of one each.
import type { AuditEvent } from '@tessera/audit';
import { withoutRequest } from '@tessera/logging';
import type { Outcome } from './request-outcome.js';

const MINUTE_MS = 60_000;
/** Callers choose what they read. In characters, by estimate. */
const MAX_SIZE = 2 * 1024 * 1024;
const CHARACTERS_PER_READ = 300;

/** A read of an environment or of a plain file. */
export interface Read extends Outcome {
  /** The client; undefined where none is known. */
  readonly principal: string | undefined;
  readonly clientAddress: string | undefined;
  /** `orders/prod`, `orders/prod/main/nginx.conf` */
  readonly subject: string;
  /** Of the environment, such as a commit. */
  readonly version?: string | null | undefined;
}

interface CountedRead {
  /** The last one. */
  read: Read;
  /** Without the first, which has its own event. */
  count: number;
}

export class ConfigReadCounter {
  private readonly reads = new Map<string, CountedRead>();
  private size = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly record: (event: AuditEvent) => void) {}

  /** Records the first read of a minute at once, and counts those that equal it. */
  add(read: Read): void {
    const { principal = '', clientAddress = '', subject, reason = '' } = read;
    const key = `${subject}\n${principal}\n${clientAddress}\n${reason}`;
    const known = this.reads.get(key);
    if (known !== undefined) {
      known.read = read;
      known.count += 1;
      return;
    }
    this.size += CHARACTERS_PER_READ + key.length;
    if (this.size > MAX_SIZE) this.flush();
    this.reads.set(key, { read, count: 0 });
    // The event of the count belongs to no request.
    this.timer ??= withoutRequest(() => setTimeout(() => this.flush(), MINUTE_MS).unref());
    this.record(eventOf(read));
  }

  /** Records what was counted, and forgets all reads. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.size = 0;
    const counted = [...this.reads.values()].filter(({ count }) => count > 0);
    this.reads.clear();
    withoutRequest(() => {
      for (const { read, count } of counted) this.record(eventOf(read, count));
    });
  }
}

function eventOf(
  { principal, clientAddress, subject, outcome, reason, version }: Read,
  count?: number,
): AuditEvent {
  const details = {
    ...(version !== undefined && version !== null && { version }),
    ...(count !== undefined && { count }),
  };
  const hasDetails = Object.keys(details).length > 0;
  const event = {
    action: 'READ_CONFIG',
    outcome,
    reason,
    principal,
    clientAddress,
    subject,
  } as const;
  return hasDetails ? { ...event, details } : event;
}
