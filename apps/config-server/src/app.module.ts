// The features of the config server.
import { Module, type DynamicModule } from '@nestjs/common';
import { SettingsModule } from '@tessera/config';
import { networkOf } from '@tessera/runtime';
import {
  ClientAddresses,
  type FrontPage,
  FrontPageModule,
  HealthModule,
  ProcessPartsModule,
  RateLimitModule,
  type RateLimitOptions,
  RefreshModule,
  type RefreshOptions,
} from '@tessera/server';
import { AuditModule } from './audit/audit.module.js';
import { ConfigAudit } from './audit/config-audit.js';
import { CALLERS, type Callers } from './callers/callers.js';
import { CallersModule } from './callers/callers.module.js';
import { admitToRefresh } from './callers/refresh-admission.js';
import { ClientAddressesModule } from './callers/client-addresses.module.js';
import { EncryptionModule } from './encryption/encryption.module.js';
import { EnvironmentModule } from './environment/environment.module.js';
import { MonitorModule } from './monitor/monitor.module.js';
import type { ConfigServerParts } from './process/process-parts.js';
import { NAMESPACES, rateLimitConfig } from './settings/namespaces.js';
import type { RateLimitSettings } from './settings/rate-limit-settings.js';
import type { ConfigServerSettings } from './settings/config-server-settings.js';

const FRONT_PAGE: FrontPage = {
  title: 'Tessera config server',
  paragraphs: [
    'This is the address of a config server. Applications fetch their settings from it over HTTP, with the calls of ' +
      'Spring Cloud Config.',
  ],
  contextPath: '',
  // Its callers are programs: it has no URL for browsers.
  baseUrl: '',
};

@Module({})
export class AppModule {
  static async forRoot(
    settings: ConfigServerSettings,
    parts: ConfigServerParts,
  ): Promise<DynamicModule> {
    const { reload, readMetrics, requestRates } = parts;
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(settings, NAMESPACES),
        ProcessPartsModule.forRoot(parts),
        RateLimitModule.forRootAsync({
          imports: [ClientAddressesModule],
          inject: [rateLimitConfig.KEY, ClientAddresses],
          useFactory: (rates: RateLimitSettings, addresses: ClientAddresses): RateLimitOptions => ({
            limits: rates.limits,
            addressOf: (request) => networkOf(addresses.of(request)),
            storage: requestRates,
          }),
        }),
        ...(readMetrics ? await operatorModules(settings, readMetrics) : []),
        HealthModule.forRoot([]),
        FrontPageModule.forRoot(FRONT_PAGE),
        EncryptionModule,
        MonitorModule,
        RefreshModule.forRootAsync({
          imports: [CallersModule, AuditModule],
          inject: [CALLERS, ConfigAudit],
          useFactory: (callers: Callers, audit: ConfigAudit): RefreshOptions => ({
            reload,
            admit: (request) => admitToRefresh(callers, request),
            record: (requested) => audit.record({ action: 'REQUEST_RELOAD', ...requested }),
          }),
        }),
        // Last: its route matches every path.
        EnvironmentModule,
      ],
    };
  }
}

/** Their code is loaded only where there is a management listener. */
async function operatorModules(
  settings: ConfigServerSettings,
  read: () => Promise<string>,
): Promise<readonly DynamicModule[]> {
  const { metricsRoutes } = await import('./metrics/metrics-routes.js');
  return metricsRoutes(settings, read);
}
