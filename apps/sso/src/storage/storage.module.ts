// The storage of the SSO application: the database, services, accounts, tickets and the audit trail.
import { Module } from '@nestjs/common';
import { AccountsModule } from '@tessera/accounts';
import { AuditTrail } from '@tessera/audit';
import { DATABASE_CREDENTIALS_REFUSED } from '@tessera/config';
import { PasswordHashing } from '@tessera/crypto';
import { Announcements, DatabaseModule } from '@tessera/database';
import { embeddedDatabaseUrl } from '@tessera/runtime';
import { PROCESS_PARTS, type ProcessParts } from '@tessera/server';
import { ServicesModule } from '@tessera/services';
import { LOGOUT_MESSAGES_CHANNEL, TicketsModule } from '@tessera/tickets';
import { ssoAuditModule } from '../audit/audit.module.js';
import { auditEventOf } from '../audit/ticket-events.js';
import { consoleService } from './console-service.js';
import type { SsoParts } from '../process/process-parts.js';
import { ssoConfig, ticketsConfig } from '../settings/namespaces.js';
import type { TicketSettings } from '../settings/ticket-settings.js';
import type { SsoSettings } from '../settings/sso-settings.js';

const database = DatabaseModule.forRootAsync({
  inject: [ssoConfig.KEY, PROCESS_PARTS],
  useFactory: async (settings: SsoSettings, { reload, isFirst, nodeId }: SsoParts) => ({
    url: settings.databaseUrl?.reveal() ?? (await embeddedDatabaseUrl()),
    poolSize: settings.poolSize,
    applicationName: settings.applicationName,
    nodeId,
    onCredentialsRefused: () => reload(DATABASE_CREDENTIALS_REFUSED),
    isFirst,
  }),
});

const audit = ssoAuditModule(database);

const services = ServicesModule.forRootAsync({
  imports: [database, audit],
  inject: [ssoConfig.KEY, PROCESS_PARTS, AuditTrail],
  useFactory: (settings: SsoSettings, { isFirst }: ProcessParts, trail: AuditTrail) => ({
    pollInterval: settings.servicesPollInterval,
    importFrom: isFirst ? settings.servicesImport : '',
    skipUnreadable: settings.skipUnreadable,
    builtIn: consoleService(settings),
    hashing: new PasswordHashing(settings.argon2),
    imported(subject, done) {
      trail.record({ action: 'IMPORT_SERVICES', outcome: 'success', subject, details: { done } });
    },
  }),
});

const tickets = TicketsModule.forRootAsync({
  imports: [database, services, audit],
  inject: [ticketsConfig.KEY, ssoConfig.KEY, AuditTrail, Announcements],
  useFactory: (
    settings: TicketSettings,
    { singleLogout }: SsoSettings,
    trail: AuditTrail,
    announcements: Announcements,
  ) => ({
    singleLogout,
    onSessionsEnded: singleLogout
      ? () => announcements.announceSoon(LOGOUT_MESSAGES_CHANNEL)
      : undefined,
    observe(event) {
      const audited = auditEventOf(event);
      if (audited !== undefined) trail.record(audited);
    },
    lifetimes: settings.lifetimes,
    suffix: settings.suffix,
    cleaningInterval: settings.cleaningInterval,
  }),
});

const modules = [database, services, audit, tickets, AccountsModule];

@Module({ imports: modules, exports: modules })
export class StorageModule {}
