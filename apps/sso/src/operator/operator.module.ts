// The routes of the management listener: metrics, API descriptions and, where somebody may use it, the operator's API.
import { type DynamicModule, Module } from '@nestjs/common';
import { MetricsModule } from '@tessera/metrics';
import { ApiDescriptionModule, MANAGEMENT_ERRORS, type ReadMetrics } from '@tessera/server';
import { apiDescription } from '../api-description.js';
import { LogoutProtocolsModule } from '../logout/logout-protocols.module.js';
import { ssoConfig } from '../settings/namespaces.js';
import { hasOperatorApi, managementUrl } from '../settings/operator-settings.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { OperatorAccessModule } from './access/operator-access.module.js';
import { SignInController } from './sign-in.controller.js';
import { AuditedChanges } from './audited-changes.js';
import { ConsoleController } from './console.controller.js';
import { LogoutMessagesApiController } from './logout-messages/logout-messages-api.controller.js';
import { operatorErrorRenderer } from './problem.js';
import { ClientSecretsApiController } from './services/client-secrets-api.controller.js';
import { DryRun } from './services/dry-run.js';
import { ServiceChanges } from './services/service-changes.js';
import { ServicesApiController } from './services/services-api.controller.js';
import { SessionsApiController } from './sessions/sessions-api.controller.js';
import { AuditApiController } from './state/audit-api.controller.js';
import { StateApiController } from './state/state-api.controller.js';
import { UserChanges } from './users/user-changes.js';
import { UsersApiController } from './users/users-api.controller.js';

@Module({
  imports: [OperatorAccessModule, LogoutProtocolsModule],
  controllers: [
    StateApiController,
    ServicesApiController,
    ClientSecretsApiController,
    SessionsApiController,
    UsersApiController,
    LogoutMessagesApiController,
    AuditApiController,
    SignInController,
    ConsoleController,
  ],
  providers: [
    {
      provide: MANAGEMENT_ERRORS,
      inject: [ssoConfig.KEY],
      useFactory: (settings: SsoSettings) => operatorErrorRenderer(managementUrl(settings)),
    },
    AuditedChanges,
    ServiceChanges,
    UserChanges,
    DryRun,
  ],
})
export class OperatorApiModule {}

@Module({})
export class OperatorModule {
  static forRoot(settings: SsoSettings, read: ReadMetrics): DynamicModule {
    const { allowedAddresses } = settings.managementServer;
    return {
      module: OperatorModule,
      imports: [
        MetricsModule.forRoot({ read, allowedAddresses }),
        ApiDescriptionModule.forRoot(() => apiDescription(settings)),
        ...(hasOperatorApi(settings) ? [OperatorApiModule] : []),
      ],
    };
  }
}
