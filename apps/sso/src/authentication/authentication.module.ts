// Wires authentication for Nest. Which handlers of passwords there are, and what they are made of, is decided next door.
import { Module, type DynamicModule } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { LiveSettings } from '@tessera/settings';
import type { SsoSettings } from '../settings.js';
import type { AuthenticationHandler } from './authentication-handler.js';
import { Authenticator } from './authenticator.js';
import { CREDENTIAL_EXTRACTORS, type CredentialExtractor } from './credential-extractor.js';
import { openPrincipalPolicy } from './open-principal-policy.js';
import { openPasswordHandlers } from './password-handlers.js';
import { PasswordExtractor } from './password-extractor.js';
import { LoginThrottles } from './login-throttles.js';

/** A kind of credential besides user names with passwords: how it is read and who checks it. */
export interface CredentialKind {
  readonly reader: CredentialExtractor;
  readonly handler: AuthenticationHandler;
}

@Module({})
export class AuthenticationModule {
  /**
   * Provides the {@link Authenticator}, its throttles, and the readers of credentials.
   *
   * @param further credentials that are asked for before passwords, and checked after them
   * @throws what opening a handler throws
   */
  static async forRoot(
    live: LiveSettings<SsoSettings>,
    dataSource: DataSource,
    further: readonly CredentialKind[] = [],
  ): Promise<DynamicModule> {
    const handlers = await openPasswordHandlers(live, dataSource);
    handlers.push(...further.map(({ handler }) => handler));
    const throttles = LoginThrottles.open(dataSource, () => live.current.throttle.policies);
    const policy = await openPrincipalPolicy(live, dataSource);
    const authenticator = new Authenticator(handlers, throttles, policy);
    const readers = [...further.map(({ reader }) => reader), new PasswordExtractor()];
    return {
      module: AuthenticationModule,
      providers: [
        { provide: Authenticator, useFactory: () => authenticator },
        { provide: LoginThrottles, useValue: throttles },
        { provide: CREDENTIAL_EXTRACTORS, useValue: readers },
      ],
      exports: [Authenticator, LoginThrottles, CREDENTIAL_EXTRACTORS],
    };
  }
}
