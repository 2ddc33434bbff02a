// The routes of the management listener.
import type { DynamicModule } from '@nestjs/common';
import { MetricsModule } from '@tessera/metrics';
import { ApiDescriptionModule } from '@tessera/server';
import { apiDescription } from '../api-description.js';
import type { ConfigServerSettings } from '../settings/config-server-settings.js';

export function metricsRoutes(
  { managementServer: { allowedAddresses }, baseUrl }: ConfigServerSettings,
  read: () => Promise<string>,
): readonly DynamicModule[] {
  return [
    MetricsModule.forRoot({ read, allowedAddresses }),
    ApiDescriptionModule.forRoot(() => apiDescription(baseUrl)),
  ];
}
