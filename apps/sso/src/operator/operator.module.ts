// The operator's API, in the management server.
import {
  Module,
  type DynamicModule,
  type FactoryProvider,
  type INestApplicationContext,
} from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { AccountStore } from '@tessera/accounts';
import { AuditTrail } from '@tessera/audit';
import { LiveSettings } from '@tessera/config';
import { ClientAddresses } from '@tessera/server';
import { ServiceRegistry, ServiceStore } from '@tessera/services';
import { LogoutQueue, ServiceTickets, SessionAdministration } from '@tessera/tickets';
import { AuthenticationThrottle } from '@tessera/throttling';
import { CurrentPrincipals } from '../authentication/current-principals.js';
import { LoginThrottles } from '../authentication/login-throttles.js';
import { ManagementToken } from './access/management-token.js';
import { OperatorAccess } from './access/operator-access.js';
import { OperatorSession } from './access/operator-session.js';
import { SignInController } from './access/sign-in.controller.js';
import { AuditedChanges } from './audited-changes.js';
import { ConsoleController } from './console.controller.js';
import { LogoutMessagesApiController } from './logout-messages/logout-messages-api.controller.js';
import { DryRun } from './services/dry-run.js';
import { ServiceChanges } from './services/service-changes.js';
import { ServicesApiController } from './services/services-api.controller.js';
import { SessionsApiController } from './sessions/sessions-api.controller.js';
import { AuditApiController } from './state/audit-api.controller.js';
import {
  READ_METRICS,
  type ReadMetrics,
  StateApiController,
} from './state/state-api.controller.js';
import { UserChanges } from './users/user-changes.js';
import { UsersApiController } from './users/users-api.controller.js';

export interface OperatorOptions {
  /** The application of this process: the API uses its storage. */
  readonly application: INestApplicationContext;
  readonly readMetrics: ReadMetrics;
}

const SHARED = [
  getDataSourceToken(),
  LiveSettings,
  ClientAddresses,
  LoginThrottles,
  ServiceStore,
  ServiceRegistry,
  ServiceTickets,
  SessionAdministration,
  LogoutQueue,
  AccountStore,
  CurrentPrincipals,
  AuditTrail,
];

@Module({})
export class OperatorModule {
  static forRoot({ application, readMetrics }: OperatorOptions): DynamicModule {
    const shared = SHARED.map((token): FactoryProvider => ({
      provide: token,
      useFactory: () => application.get<unknown>(token, { strict: false }),
    }));
    return {
      module: OperatorModule,
      controllers: [
        SignInController,
        StateApiController,
        ServicesApiController,
        SessionsApiController,
        UsersApiController,
        LogoutMessagesApiController,
        AuditApiController,
        ConsoleController,
      ],
      providers: [
        ...shared,
        { provide: READ_METRICS, useValue: readMetrics },
        {
          provide: AuthenticationThrottle,
          inject: [LoginThrottles],
          useFactory: ({ operatorTokens }: LoginThrottles) => operatorTokens,
        },
        ManagementToken,
        OperatorSession,
        OperatorAccess,
        AuditedChanges,
        ServiceChanges,
        UserChanges,
        DryRun,
      ],
    };
  }
}
