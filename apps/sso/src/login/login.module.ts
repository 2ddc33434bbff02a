// Module `login`: sign-on and sign-out with a browser.
import type { ServerResponse } from 'node:http';
import {
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Cleaner, poolOf } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { ERROR_PAGES } from '@tessera/server';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { CoreModule } from '../core.module.js';
import { LogoutProtocolsModule } from '../logout/logout-protocols.module.js';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { BrowserLogout } from './browser-logout.js';
import { BrowserSession } from './browser-session.js';
import { LoginErrorPages } from './error-pages.js';
import { LoginAnswers } from './login-answers.js';
import { LoginContinuation } from './login-continuation.js';
import { LoginFlow } from './login-flow.js';
import { LoginForms } from './login-forms.js';
import { SealingKey } from './login-key.js';
import { LoginStore } from './login-store.js';
import { LoginController } from './login.controller.js';
import { LogoutController } from './logout.controller.js';
import {
  pageTemplates,
  requireLogo,
  requireThemeDirectory,
  TEMPLATE_EXTENSION,
  themeDirectories,
} from './page-templates.js';
import { Pages } from './pages.js';
import { PasswordFlow } from './password-flow.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { ServiceContinuation } from './service-continuation.js';
import { SessionCookie } from './session-cookie.js';
import { SessionsController } from './sessions.controller.js';
import { ThemeController } from './theme.controller.js';
import { Translations } from './translations.js';

const CLEANING_INTERVAL = 60_000;
/** Rows that one statement removes. */
const BATCH = 1_000;

@Module({
  imports: [CoreModule, AuthenticationModule, LogoutProtocolsModule],
  controllers: [LoginController, LogoutController, SessionsController, ThemeController],
  providers: [
    SealingKey,
    LoginForms,
    LoginFlow,
    LoginContinuation,
    ServiceContinuation,
    PasswordFlow,
    LoginAnswers,
    BrowserSession,
    BrowserLogout,
    SessionCookie,
    SameOriginGuard,
    Pages,
    LoginErrorPages,
    { provide: ERROR_PAGES, useExisting: LoginErrorPages },
    {
      provide: LoginStore,
      inject: [getDataSourceToken()],
      useFactory: (dataSource: DataSource) => new LoginStore(poolOf(dataSource)),
    },
    {
      provide: Translations,
      inject: [ssoConfig.KEY],
      useFactory: ({ theme }: SsoSettings) =>
        Translations.load(themeDirectories('locales', theme.directory).toReversed()),
    },
  ],
  exports: [
    BrowserLogout,
    BrowserSession,
    LoginContinuation,
    LoginErrorPages,
    Pages,
    SameOriginGuard,
    SealingKey,
    SessionCookie,
  ],
})
export class LoginModule implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly cleaner: Cleaner;

  constructor(
    store: LoginStore,
    private readonly translations: Translations,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
    private readonly adapterHost: HttpAdapterHost<ExpressAdapter>,
  ) {
    this.cleaner = new Cleaner({
      removeBatch: () => store.removeExpired(BATCH),
      interval: CLEANING_INTERVAL,
      rows: 'login forms',
      log: loggerFor('login'),
    });
  }

  /** Sets up the templates and the static files, before the routes exist. */
  async onModuleInit(): Promise<void> {
    const { contextPath, theme } = this.settings;
    await requireThemeDirectory(theme.directory);
    const { httpAdapter } = this.adapterHost;
    const views = themeDirectories('views', theme.directory);
    httpAdapter.setBaseViewsDir([...views]);
    httpAdapter.engine(TEMPLATE_EXTENSION, await pageTemplates(views, this.translations));
    httpAdapter.setViewEngine(TEMPLATE_EXTENSION);
    const files = themeDirectories('public', theme.directory);
    await requireLogo(theme.logo, files);
    for (const directory of files) {
      const prefix = `${contextPath}/assets`;
      httpAdapter.useStaticAssets(directory, { prefix, index: false, redirect: false, setHeaders });
    }
  }

  onApplicationBootstrap(): void {
    this.cleaner.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.cleaner.stop();
  }
}

/** Browsers keep the files, and ask each time whether they have changed. */
function setHeaders(response: ServerResponse): void {
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('X-Content-Type-Options', 'nosniff');
}
