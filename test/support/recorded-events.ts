// An audit trail that keeps its events in memory.
import type { AuditEvent } from '@tessera/audit';

export class RecordedEvents {
  readonly events: AuditEvent[] = [];

  record(event: AuditEvent): void {
    this.events.push(event);
  }
}
