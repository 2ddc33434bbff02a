// The features of this deployment: those that every deployment has, and those that its settings name.
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { SettingsModule } from '@tessera/config';
import {
  type FrontPage,
  FrontPageModule,
  HealthModule,
  ProcessPartsModule,
  type ReadMetrics,
} from '@tessera/server';
import { databaseCheck } from './storage/database-check.js';
import type { ModuleName } from './settings/module-names.js';
import { OperatorRefreshModule } from './operator/operator-refresh.module.js';
import { SsoRateLimitModule } from './requests/rate-limit.module.js';
import { NAMESPACES } from './settings/namespaces.js';
import type { SsoSettings } from './settings/sso-settings.js';
import type { SsoParts } from './process/process-parts.js';
import { ValidationModule } from './validation/validation.module.js';

/**
 * The routes of optional modules. A module that `sso.modules` does not name has no routes, and its code is not loaded.
 * `rest-x509` has no route of its own: it adds a credential to those of `rest`.
 */
const OPTIONAL: readonly (readonly [ModuleName, () => Promise<Type>])[] = [
  ['rest', async () => (await import('./rest/rest.module.js')).RestModule],
  ['login', async () => (await import('./login/login.module.js')).LoginModule],
  ['oidc', async () => (await import('./oidc/oidc.module.js')).OidcModule],
  [
    'rest-services',
    async () => (await import('./rest-services/rest-services.module.js')).RestServicesModule,
  ],
];

const logoutModule = async (): Promise<Type> =>
  (await import('./logout/logout.module.js')).LogoutModule;

const health = HealthModule.forRootAsync({
  inject: [getDataSourceToken()],
  useFactory: (dataSource: DataSource) => [databaseCheck(dataSource)],
});

@Module({})
export class AppModule {
  static async forRoot(settings: SsoSettings, parts: SsoParts): Promise<DynamicModule> {
    const { moduleNames, singleLogout } = settings;
    const { readMetrics } = parts;
    const optional = await Promise.all([
      ...OPTIONAL.flatMap(([name, load]) => (moduleNames.includes(name) ? [load()] : [])),
      ...(singleLogout && parts.servesRequests ? [logoutModule()] : []),
    ]);
    return {
      module: AppModule,
      // The router tries the routes in this order: those of tickets come first, because they are used most.
      imports: [
        SettingsModule.forRoot(settings, NAMESPACES),
        ProcessPartsModule.forRoot(parts),
        SsoRateLimitModule,
        ValidationModule,
        ...optional,
        OperatorRefreshModule,
        ...(readMetrics ? [await operatorModule(settings, readMetrics)] : []),
        health,
        FrontPageModule.forRoot(frontPage(settings)),
      ],
    };
  }
}

/** Its code is loaded only where there is a management listener. */
async function operatorModule(settings: SsoSettings, readMetrics: ReadMetrics) {
  const { OperatorModule } = await import('./operator/operator.module.js');
  return OperatorModule.forRoot(settings, readMetrics);
}

function frontPage({ moduleNames, contextPath, baseUrl }: SsoSettings): FrontPage {
  return {
    title: 'Tessera SSO',
    paragraphs: [
      'Here you sign in once for all your applications. An application sends you here when it needs to know who you are.',
    ],
    pages: moduleNames.includes('login') ? [['/login', 'Sign in']] : [],
    contextPath,
    baseUrl,
  };
}
