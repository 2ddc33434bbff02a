// Records changes of the settings, in each process of the node.
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type AuditEvent, type AuditSettings, AuditTrail } from '@tessera/audit';
import { LiveSettings } from '@tessera/config';
import { auditConfig } from '../settings/namespaces.js';

@Injectable()
export class SettingsAudit implements OnModuleInit {
  constructor(
    @Inject(LiveSettings) private readonly live: Pick<LiveSettings<never>, 'onChange'>,
    private readonly auditTrail: AuditTrail,
    @Inject(auditConfig.KEY) private readonly settings: Pick<AuditSettings, 'isEnabled'>,
  ) {}

  onModuleInit(): void {
    let wasEnabled = this.settings.isEnabled;
    this.live.onChange((changes) => {
      const details = { ...changes, pid: process.pid };
      const event: AuditEvent = { action: 'RELOAD_SETTINGS', outcome: 'success', details };
      if (wasEnabled) this.auditTrail.recordAlways(event);
      else this.auditTrail.record(event);
      wasEnabled = this.settings.isEnabled;
    });
  }
}
