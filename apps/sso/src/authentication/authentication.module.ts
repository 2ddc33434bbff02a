// The Nest module of authentication.
import { Module, type DynamicModule } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { LiveSettings } from '@tessera/settings';
import type { SsoSettings } from '../settings.js';
import type { AuthenticationHandler } from './authentication-handler.js';
import { Authenticator } from './authenticator.js';
import {
  CREDENTIAL_EXTRACTORS,
  PasswordExtractor,
  type CredentialExtractor,
} from './credential-extractor.js';
import { LoginThrottles } from './login-throttles.js';
import { openPrincipalPolicy } from './open-principal-policy.js';
import { openPasswordHandlers } from './password-handlers.js';

/** A kind of credential besides passwords: its extractor and its handler. */
export interface CredentialKind {
  readonly extractor: CredentialExtractor;
  readonly handler: AuthenticationHandler;
}

@Module({})
export class AuthenticationModule {
  /**
   * Provides the {@link Authenticator}, its throttles, and the credential extractors.
   *
   * @param additional credential kinds; extracted before passwords, and checked after them
   * @throws any error of opening a handler
   */
  static async forRoot(
    live: LiveSettings<SsoSettings>,
    dataSource: DataSource,
    additional: readonly CredentialKind[] = [],
  ): Promise<DynamicModule> {
    const handlers = await openPasswordHandlers(live, dataSource);
    handlers.push(...additional.map(({ handler }) => handler));
    const throttles = LoginThrottles.open(dataSource, () => live.current.throttle.policies);
    const policy = await openPrincipalPolicy(live, dataSource);
    const authenticator = new Authenticator(handlers, throttles, policy);
    const extractors = [...additional.map(({ extractor }) => extractor), new PasswordExtractor()];
    return {
      module: AuthenticationModule,
      providers: [
        { provide: Authenticator, useFactory: () => authenticator },
        { provide: LoginThrottles, useValue: throttles },
        { provide: CREDENTIAL_EXTRACTORS, useValue: extractors },
      ],
      exports: [Authenticator, LoginThrottles, CREDENTIAL_EXTRACTORS],
    };
  }
}
