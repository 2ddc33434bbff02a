// Records changes of the settings, in each process of the node.
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditTrail } from '@tessera/audit';
import { LiveSettings } from '@tessera/config';

@Injectable()
export class SettingsAudit implements OnModuleInit {
  constructor(
    @Inject(LiveSettings) private readonly live: Pick<LiveSettings<never>, 'onChange'>,
    @Inject(AuditTrail) private readonly auditTrail: AuditTrail,
  ) {}

  onModuleInit(): void {
    this.live.onChange((changes) => {
      const { pid } = process;
      this.auditTrail.record({
        action: 'RELOAD_SETTINGS',
        outcome: 'success',
        details: { ...changes, pid },
      });
    });
  }
}
