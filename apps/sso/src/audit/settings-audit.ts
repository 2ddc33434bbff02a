// Records changes of the settings, in each process of the node.
import { Injectable } from '@nestjs/common';
import { type AuditEvent, AuditTrail } from '@tessera/audit';
import type { ChangedKeys } from '@tessera/config';

@Injectable()
export class SettingsAudit {
  constructor(private readonly auditTrail: AuditTrail) {}

  /** @param wasEnabled whether events were stored before the change: the change that ends this is stored */
  record(changes: ChangedKeys, wasEnabled: boolean): void {
    const details = { ...changes, pid: process.pid };
    const event: AuditEvent = { action: 'RELOAD_SETTINGS', outcome: 'success', details };
    if (wasEnabled) this.auditTrail.recordAlways(event);
    else this.auditTrail.record(event);
  }
}
