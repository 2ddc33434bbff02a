// What operators may request of a running server.
import { Module } from '@nestjs/common';
import { type AuditEvent, AuditTrail } from '@tessera/audit';
import { RefreshModule, type RefreshOptions, type RefreshOutcome } from '@tessera/server';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { CoreModule } from '../core.module.js';
import { CrossNodeReload } from '../cross-node-reload.js';
import { ManagementAccess } from './management-access.js';

@Module({
  imports: [CoreModule, AuthenticationModule],
  providers: [ManagementAccess],
  exports: [ManagementAccess, CoreModule],
})
class ManagementAccessModule {}

@Module({
  imports: [
    RefreshModule.forRootAsync({
      imports: [ManagementAccessModule],
      inject: [CrossNodeReload, ManagementAccess, AuditTrail],
      useFactory: (
        { reload }: CrossNodeReload,
        access: ManagementAccess,
        auditTrail: AuditTrail,
      ): RefreshOptions => ({
        async reload(cause) {
          const outcome = await reload(cause);
          auditTrail.record({ action: 'REQUEST_RELOAD', ...auditOf(outcome), details: { cause } });
          return outcome;
        },
        admit: (request) => access.admit(request),
      }),
    }),
  ],
})
export class ManagementModule {}

function auditOf(outcome: RefreshOutcome): Pick<AuditEvent, 'outcome' | 'reason'> {
  return 'problems' in outcome
    ? { outcome: 'failure', reason: 'SETTINGS_INVALID' }
    : { outcome: 'success' };
}
