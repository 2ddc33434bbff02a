// Module `oidc`: OpenID Connect, by the package oidc-provider, in the session of the login page. @see docs/oidc.md
import { availableParallelism } from 'node:os';
import { Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { PasswordHashing } from '@tessera/crypto';
import { Cleaner, DurableStatements, poolOf } from '@tessera/database';
import { currentCaller, loggerFor } from '@tessera/logging';
import { SigningKeysModule } from '@tessera/signing-keys';
import { RequestRateStore } from '@tessera/throttling';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { CoreModule } from '../core.module.js';
import { LoginModule } from '../login/login.module.js';
import { LogoutProtocolsModule } from '../logout/logout-protocols.module.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { OidcAccounts } from './claims/accounts.js';
import { ApereoRoutes } from './paths/apereo-routes.js';
import { AuthorizationController } from './authorization/authorization.controller.js';
import { ClientKeyRequests } from './clients/client-key-requests.js';
import { ClientRegistrations } from './clients/client-registrations.js';
import { ClientThrottle } from './clients/client-throttle.js';
import { Clients } from './clients/clients.js';
import { ConsentFlow } from './consent/consent-flow.js';
import { ConsentForms } from './consent/consent-forms.js';
import { Consents } from './consent/consents.js';
import { ConsentsController } from './consent/consents.controller.js';
import { DeviceController } from './device/device.controller.js';
import { EndSessionController } from './logout/end-session.controller.js';
import { EndSessionRequests } from './logout/end-session-requests.js';
import { Grants } from './storage/grants.js';
import { InteractionContinuation } from './interaction/interaction-continuation.js';
import { InteractionController } from './interaction/interaction.controller.js';
import { Interactions } from './interaction/interactions.js';
import { LibraryOutcomes } from './library/library-outcomes.js';
import { LibraryPages } from './library/library-pages.js';
import { LibraryRateLimit } from './library/library-rate-limit.js';
import { LibraryRequests } from './library/library-requests.js';
import { LibraryRoutes } from './library/library-routes.js';
import { OidcEvents } from './oidc-events.js';
import { OidcLogout } from './logout/oidc-logout.js';
import { OidcProvider } from './oidc-provider.js';
import { ProviderConfiguration } from './provider-configuration.js';
import { RequestSessions } from './claims/request-sessions.js';
import { Revocations } from './storage/revocations.js';
import { ConsentStore } from './storage/consent-store.js';
import { OidcStore } from './storage/oidc-store.js';
import { StorageAdapters } from './storage/storage-adapters.js';
import { TokenPrincipals } from './claims/token-principals.js';

const CLEANING_INTERVAL = 60_000;
/** Rows of each table that one statement removes. */
const BATCH = 1_000;

const signingKeys = SigningKeysModule.forRootAsync({
  imports: [CoreModule],
  inject: [ssoConfig.KEY],
  useFactory: (settings: SsoSettings) => ({
    sealingKeys: settings.signingKeys.sealingKeys,
    generatesKey: settings.isActive('dev'),
  }),
});

@Module({
  imports: [
    CoreModule,
    AuthenticationModule,
    LoginModule,
    LogoutProtocolsModule,
    OutgoingModule,
    signingKeys,
  ],
  controllers: [
    AuthorizationController,
    ConsentsController,
    DeviceController,
    EndSessionController,
    InteractionController,
  ],
  providers: [
    OidcProvider,
    ClientKeyRequests,
    OidcAccounts,
    Clients,
    ClientRegistrations,
    ClientThrottle,
    Grants,
    RequestSessions,
    TokenPrincipals,
    StorageAdapters,
    ProviderConfiguration,
    LibraryPages,
    LibraryRequests,
    ApereoRoutes,
    LibraryRoutes,
    OidcEvents,
    LibraryOutcomes,
    LibraryRateLimit,
    Revocations,
    OidcLogout,
    EndSessionRequests,
    Interactions,
    InteractionContinuation,
    Consents,
    ConsentFlow,
    ConsentForms,
    {
      provide: PasswordHashing,
      inject: [ssoConfig.KEY],
      useFactory: (settings: SsoSettings) =>
        new PasswordHashing({ ...settings.hashing(availableParallelism()), currentCaller }),
    },
    {
      provide: RequestRateStore,
      inject: [getDataSourceToken()],
      useFactory: (dataSource: DataSource) => new RequestRateStore(poolOf(dataSource)),
    },
    {
      provide: OidcStore,
      inject: [getDataSourceToken(), DurableStatements],
      useFactory: (dataSource: DataSource, durable: DurableStatements) =>
        new OidcStore(poolOf(dataSource), durable),
    },
    {
      provide: ConsentStore,
      inject: [getDataSourceToken(), DurableStatements],
      useFactory: (dataSource: DataSource, durable: DurableStatements) =>
        new ConsentStore(dataSource, durable),
    },
  ],
})
export class OidcModule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly cleaner: Cleaner;

  constructor(store: OidcStore) {
    this.cleaner = new Cleaner({
      removeBatch: () => store.removeExpired(BATCH),
      interval: CLEANING_INTERVAL,
      rows: 'OpenID Connect grants and tokens',
      log: loggerFor('oidc'),
    });
  }

  onApplicationBootstrap(): void {
    this.cleaner.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.cleaner.stop();
  }
}
