// The root module: the features of every deployment, and the optional modules that the settings name.
import { Module, type DynamicModule } from '@nestjs/common';
import type { Reload } from '@tessera/reload';
import { FrontPageModule, HealthModule, type ExpiryWatch, type FrontPage } from '@tessera/server';
import type { LiveSettings } from '@tessera/settings';
import { CoreModule } from './core.module.js';
import { databaseCheck } from './database-check.js';
import type { Foundation } from './foundation.js';
import { ManagementModule } from './management/management.module.js';
import type { ModuleName } from './module-names.js';
import type { SsoSettings } from './settings.js';
import { ValidationModule } from './validation/validation.module.js';

interface FeatureModule {
  forRoot(core: DynamicModule): DynamicModule;
}

/**
 * The optional modules with routes. Code of a module that `sso.modules` does not list is not loaded.
 * `rest-x509` has no routes; it adds a credential to the routes of `rest`.
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
      // The router matches routes in this order, so the ticket routes come first.
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

function frontPage(contextPath: string): FrontPage {
  return {
    title: 'Tessera SSO',
    paragraphs: [
      'This is the address of a single sign-on ticket service. Programs call it over HTTP: users log in over REST, ' +
        'and applications validate tickets.',
      'There is no login page in this version.',
    ],
    contextPath,
    documents: [
      ['README.md', 'a first login with curl'],
      ['docs/protocol.md', 'every call and its answers'],
      ['docs/clients.md', 'applications and client libraries'],
      ['docs/operations.md', 'how to run it'],
    ],
  };
}
