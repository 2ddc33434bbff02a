// What every feature needs: the database, registered services, tickets, accounts, and the addresses of clients.
import { Module } from '@nestjs/common';
import { AccountsModule } from '@tessera/accounts';
import { AuditTrail } from '@tessera/audit';
import { DatabaseModule } from '@tessera/database';
import { LOGIN_REFUSED, RELOAD, type Reload } from '@tessera/config';
import { ExpiryModule } from '@tessera/server';
import { ServicesModule } from '@tessera/services';
import { TicketsModule } from '@tessera/tickets';
import { ssoAuditModule } from './audit/audit.module.js';
import { SettingsAudit } from './audit/settings-audit.js';
import { auditEventOf } from './audit/ticket-events.js';
import { ClientAddressesModule } from './client-addresses.module.js';
import { DatabaseLoginReload } from './database-login-reload.js';
import { nodeId } from './node-id.js';
import { CrossNodeReload } from './cross-node-reload.js';
import { RequestSettings } from './request-settings.js';
import { ssoConfig, ticketsConfig } from './settings/namespaces.js';
import type { TicketSettings } from './settings/ticket-settings.js';
import type { SsoSettings } from './settings.js';

const database = DatabaseModule.forRootAsync({
  inject: [ssoConfig.KEY, RELOAD],
  useFactory: ({ databaseUrl, poolSize, applicationName }: SsoSettings, reload: Reload) => ({
    url: databaseUrl?.reveal(),
    poolSize,
    applicationName,
    nodeId: nodeId(),
    renewal: () => reload(LOGIN_REFUSED),
  }),
});

const services = ServicesModule.forRootAsync({
  imports: [database],
  inject: [ssoConfig.KEY],
  useFactory: ({ servicesPollInterval, servicesImport, skipUnreadable }: SsoSettings) => ({
    pollInterval: servicesPollInterval,
    importFrom: servicesImport,
    skipUnreadable,
  }),
});

const audit = ssoAuditModule(database);

const tickets = TicketsModule.forRootAsync({
  imports: [services, audit],
  inject: [ticketsConfig.KEY, ssoConfig.KEY, AuditTrail],
  useFactory: (settings: TicketSettings, { singleLogout }: SsoSettings, trail: AuditTrail) => ({
    singleLogout,
    observe(event) {
      const audited = auditEventOf(event);
      if (audited !== undefined) trail.record(audited);
    },
    lifetimes: () => settings.lifetimes,
    suffix: settings.suffix,
    cleaningInterval: settings.cleaningInterval,
  }),
});

@Module({
  imports: [
    database,
    services,
    audit,
    tickets,
    AccountsModule,
    ExpiryModule,
    ClientAddressesModule,
  ],
  providers: [DatabaseLoginReload, CrossNodeReload, RequestSettings, SettingsAudit],
  exports: [
    database,
    services,
    audit,
    tickets,
    AccountsModule,
    ExpiryModule,
    CrossNodeReload,
    RequestSettings,
    ClientAddressesModule,
  ],
})
export class CoreModule {}
