// Owns which features this deployment has: the ones every deployment has, and those its settings name.
import { Module, type DynamicModule } from '@nestjs/common';
import type { Reload } from '@tessera/reload';
import { FrontPageModule, HealthModule, type ExpiryWatch } from '@tessera/server';
import type { LiveSettings } from '@tessera/settings';
import { CoreModule } from './core.module.js';
import { databaseCheck } from './database-check.js';
import type { Foundation } from './foundation.js';
import { frontPage } from './front-page.js';
import { ManagementModule } from './management/management.module.js';
import type { ModuleName } from './module-names.js';
import type { SsoSettings } from './settings.js';
import { ValidationModule } from './validation/validation.module.js';

interface FeatureModule {
  forRoot(core: DynamicModule): DynamicModule;
}

/**
 * The routes of optional modules. One that is not listed in `sso.modules` has none, and none of its code is loaded.
 * `rest-x509` has no route of its own: it adds a credential to those of `rest`.
 */
const OPTIONAL: Readonly<Partial<Record<ModuleName, () => Promise<FeatureModule>>>> = {
  rest: async () => (await import('./rest/rest.module.js')).RestModule,
  'rest-services': async () =>
    (await import('./rest-services/rest-services.module.js')).RestServicesModule,
};

@Module({})
export class AppModule {
  static async forRoot(
    live: LiveSettings<SsoSettings>,
    foundation: Foundation,
    reload: Reload,
    expiries: ExpiryWatch,
  ): Promise<DynamicModule> {
    const core = await CoreModule.forRoot(live, foundation, expiries);
    const loaded = live.current.moduleNames.flatMap((name) => OPTIONAL[name]?.() ?? []);
    const optional = (await Promise.all(loaded)).map((feature) => feature.forRoot(core));
    return {
      module: AppModule,
      // The router asks one route after the other: those of tickets come first.
      imports: [
        core,
        ...optional,
        ValidationModule.forRoot(core),
        ManagementModule.forRoot(core, reload),
        HealthModule.forRoot([databaseCheck(foundation.parts.dataSource)], expiries),
        FrontPageModule.forRoot(frontPage(live.current.contextPath)),
      ],
    };
  }
}
