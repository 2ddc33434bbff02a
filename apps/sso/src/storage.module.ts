// What the SSO application stores, and where: the database, services, accounts, tickets and the audit trail.
import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from '@tessera/accounts';
import { AuditTrail } from '@tessera/audit';
import { LOGIN_REFUSED, RELOAD, type Reload } from '@tessera/config';
import { DatabaseModule } from '@tessera/database';
import { embeddedDatabaseUrl } from '@tessera/runtime';
import { ServicesModule } from '@tessera/services';
import { TicketsModule } from '@tessera/tickets';
import { ssoAuditModule } from './audit/audit.module.js';
import { auditEventOf } from './audit/ticket-events.js';
import { consoleService } from './console-service.js';
import { DatabaseLoginReload } from './database-login-reload.js';
import { nodeId } from './node-id.js';
import { ssoConfig, ticketsConfig } from './settings/namespaces.js';
import type { TicketSettings } from './settings/ticket-settings.js';
import type { SsoSettings } from './settings.js';

export interface StorageOptions {
  /** The number of connections. */
  readonly poolSize: (settings: SsoSettings) => number;
  /** Whether the service files of the settings are imported at start. */
  readonly importsServices: boolean;
}

@Module({})
export class StorageModule {
  static forRoot(options: StorageOptions): DynamicModule {
    const database = databaseModule(options);
    const audit = ssoAuditModule(database);
    const services = servicesModule([database, audit], options);
    const modules = [database, services, audit, ticketsModule(services, audit), AccountsModule];
    return {
      module: StorageModule,
      imports: modules,
      providers: [DatabaseLoginReload],
      exports: modules,
    };
  }
}

function databaseModule({ poolSize }: StorageOptions): DynamicModule {
  return DatabaseModule.forRootAsync({
    inject: [ssoConfig.KEY, RELOAD],
    useFactory: async (settings: SsoSettings, reload: Reload) => ({
      url: settings.databaseUrl?.reveal() ?? (await embeddedDatabaseUrl()),
      poolSize: poolSize(settings),
      applicationName: settings.applicationName,
      nodeId: nodeId(),
      renewal: () => reload(LOGIN_REFUSED),
    }),
  });
}

function servicesModule(
  imports: DynamicModule[],
  { importsServices }: StorageOptions,
): DynamicModule {
  return ServicesModule.forRootAsync({
    imports,
    inject: [ssoConfig.KEY, AuditTrail],
    useFactory: (settings: SsoSettings, trail: AuditTrail) => ({
      pollInterval: settings.servicesPollInterval,
      importFrom: importsServices ? settings.servicesImport : '',
      skipUnreadable: settings.skipUnreadable,
      builtIn: consoleService(settings),
      imported(subject, done) {
        trail.record({ action: 'IMPORT_SERVICES', outcome: 'success', subject, details: { done } });
      },
    }),
  });
}

function ticketsModule(services: DynamicModule, audit: DynamicModule): DynamicModule {
  return TicketsModule.forRootAsync({
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
}
