// The route POST /actuator/refresh of the public listener: operators request a reload.
import { Module } from '@nestjs/common';
import { AuditTrail } from '@tessera/audit';
import { RefreshModule, type RefreshOptions } from '@tessera/server';
import { CrossNodeReload } from '../process/cross-node-reload.js';
import { REFRESH } from './access/accepted-proofs.js';
import { OperatorAccess } from './access/operator-access.js';
import { OperatorAccessModule } from './access/operator-access.module.js';

@Module({
  imports: [
    RefreshModule.forRootAsync({
      imports: [OperatorAccessModule],
      inject: [CrossNodeReload, OperatorAccess, AuditTrail],
      useFactory: (
        { reload }: CrossNodeReload,
        access: OperatorAccess,
        auditTrail: AuditTrail,
      ): RefreshOptions => ({
        reload,
        admit: (request) => access.admit(request, REFRESH),
        record: (requested) => auditTrail.record({ action: 'REQUEST_RELOAD', ...requested }),
      }),
    }),
  ],
})
export class OperatorRefreshModule {}
