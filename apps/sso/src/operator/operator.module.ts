// The operator's API, in the management server.
import { Module } from '@nestjs/common';
import { MANAGEMENT_ERRORS } from '@tessera/server';
import { AuthenticationThrottle } from '@tessera/throttling';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { LoginThrottles } from '../authentication/login-throttles.js';
import { CoreModule } from '../core.module.js';
import { ssoConfig } from '../settings/namespaces.js';
import { managementUrl } from '../settings/operator-settings.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { ManagementToken } from './access/management-token.js';
import { OperatorAccess } from './access/operator-access.js';
import { OperatorSession } from './access/operator-session.js';
import { SignInController } from './access/sign-in.controller.js';
import { AuditedChanges } from './audited-changes.js';
import { ConsoleController } from './console.controller.js';
import { LogoutMessagesApiController } from './logout-messages/logout-messages-api.controller.js';
import { operatorErrorRenderer } from './problem.js';
import { DryRun } from './services/dry-run.js';
import { ServiceChanges } from './services/service-changes.js';
import { ServicesApiController } from './services/services-api.controller.js';
import { SessionsApiController } from './sessions/sessions-api.controller.js';
import { AuditApiController } from './state/audit-api.controller.js';
import { StateApiController } from './state/state-api.controller.js';
import { UserChanges } from './users/user-changes.js';
import { UsersApiController } from './users/users-api.controller.js';

@Module({
  imports: [CoreModule, AuthenticationModule],
  controllers: [
    StateApiController,
    ServicesApiController,
    SessionsApiController,
    UsersApiController,
    LogoutMessagesApiController,
    AuditApiController,
    SignInController,
    ConsoleController,
  ],
  providers: [
    {
      provide: AuthenticationThrottle,
      inject: [LoginThrottles],
      useFactory: ({ operatorTokens }: LoginThrottles) => operatorTokens,
    },
    {
      provide: MANAGEMENT_ERRORS,
      inject: [ssoConfig.KEY],
      useFactory: (settings: SsoSettings) => operatorErrorRenderer(managementUrl(settings)),
    },
    ManagementToken,
    OperatorSession,
    OperatorAccess,
    AuditedChanges,
    ServiceChanges,
    UserChanges,
    DryRun,
  ],
})
export class OperatorModule {}
