// The routes of the management listener: metrics, API descriptions and, where somebody may use it, the operator's API.
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { MetricsModule } from '@tessera/metrics';
import { ApiDescriptionModule, type ReadMetrics } from '@tessera/server';
import { apiDescription } from '../api-description.js';
import { hasOperatorApi } from '../settings/operator-settings.js';
import type { SsoSettings } from '../settings/sso-settings.js';

@Module({})
export class OperatorServerModule {
  static async forRoot(settings: SsoSettings, readMetrics: ReadMetrics): Promise<DynamicModule> {
    const { allowedAddresses } = settings.managementServer;
    return {
      module: OperatorServerModule,
      imports: [
        MetricsModule.forRoot({ read: readMetrics, allowedAddresses }),
        ApiDescriptionModule.forRoot(() => apiDescription(settings)),
        ...(hasOperatorApi(settings) ? [await operatorModule()] : []),
      ],
    };
  }
}

/** Its code is loaded only where somebody may use it. */
async function operatorModule(): Promise<Type> {
  return (await import('./operator.module.js')).OperatorModule;
}
