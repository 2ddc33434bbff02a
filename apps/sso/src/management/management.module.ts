// The calls of operators on the public listener.
import { Module } from '@nestjs/common';
import { AuditTrail } from '@tessera/audit';
import { RefreshModule, type RefreshOptions } from '@tessera/server';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { CoreModule } from '../core.module.js';
import { CrossNodeReload } from '../process/cross-node-reload.js';
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
        reload,
        admit: (request) => access.admit(request),
        record: (requested) => auditTrail.record({ action: 'REQUEST_RELOAD', ...requested }),
      }),
    }),
  ],
})
export class ManagementModule {}
