// Owns which features the config server has.
import { Module, type DynamicModule } from '@nestjs/common';
import { HealthModule } from '@tessera/server';
import { openCallers } from './callers/open-callers.js';
import { EncryptionModule } from './encryption/encryption.module.js';
import { EnvironmentModule } from './environment/environment.module.js';
import { Foundation } from './foundation.js';
import { MonitorModule } from './monitor/monitor.module.js';
import type { ConfigServerSettings } from './settings.js';

@Module({})
export class AppModule {
  static forRoot(settings: ConfigServerSettings, foundation: Foundation): DynamicModule {
    const { keys, backends } = foundation;
    const { clients, throttlePolicy } = settings.clients;
    const callers = openCallers(clients, throttlePolicy, settings.proxies.clientAddresses());
    return {
      module: AppModule,
      imports: [
        HealthModule.forRoot([]),
        EncryptionModule.forRoot({ keys, callers, decrypts: settings.decrypts }),
        MonitorModule.forRoot({ backends, secret: settings.git.webhookSecret }),
        // Any path may be one of its own: it is asked last.
        EnvironmentModule.forRoot({
          backends,
          decryptor: keys,
          callers,
          settings: settings.environment,
        }),
      ],
      // Only what Nest has as a provider is told of the shutdown.
      providers: [{ provide: Foundation, useValue: foundation }],
    };
  }
}
