// Owns which features the config server has.
import { Module, type DynamicModule } from '@nestjs/common';
import type { Reload } from '@tessera/reload';
import {
  ClientAddresses,
  FrontPageModule,
  HealthModule,
  RateLimitModule,
  type RateLimitOptions,
  RefreshModule,
} from '@tessera/server';
import type { LiveSettings } from '@tessera/settings';
import type { Callers } from './callers/callers.js';
import { admitToRefresh } from './callers/refresh-admission.js';
import { EncryptionModule } from './encryption/encryption.module.js';
import { EnvironmentModule } from './environment/environment.module.js';
import { Foundation } from './foundation.js';
import { FRONT_PAGE } from './front-page.js';
import { MonitorModule } from './monitor/monitor.module.js';
import type { ConfigServerSettings } from './settings.js';

export interface AppModuleOptions {
  readonly live: LiveSettings<ConfigServerSettings>;
  readonly reload: Reload;
  readonly callers: Callers;
  readonly foundation: Foundation;
}

@Module({})
export class AppModule {
  static forRoot(options: AppModuleOptions): DynamicModule {
    const { live, reload, callers, foundation } = options;
    const encryption = () => ({ keys: foundation.keys, decrypts: live.current.decrypts });
    const { backends } = foundation;
    return {
      module: AppModule,
      imports: [
        RateLimitModule.forRootAsync({ useFactory: () => rateLimits(live) }),
        HealthModule.forRoot([]),
        FrontPageModule.forRoot(FRONT_PAGE),
        EncryptionModule.forRoot({ callers, inForce: encryption }),
        MonitorModule.forRoot({ backends, secret: () => live.current.git.webhookSecret }),
        RefreshModule.forRoot({ reload, admit: (request) => admitToRefresh(callers, request) }),
        // Any path may be one of its own: it is asked last.
        EnvironmentModule.forRoot({ callers, answers: () => foundation.answers }),
      ],
      // Only what Nest has as a provider is told of the shutdown.
      providers: [{ provide: Foundation, useValue: foundation }],
    };
  }
}

/** Counted in the memory of this process. */
async function rateLimits(live: LiveSettings<ConfigServerSettings>): Promise<RateLimitOptions> {
  const forwarding = await live.derive({
    of: ({ proxies }) => proxies,
    make: (proxies) => proxies.forwarding(),
  });
  const addresses = new ClientAddresses(() => forwarding.value);
  return {
    limits: () => live.current.rateLimit.limits,
    addressOf: (request) => addresses.of(request),
  };
}
