import { Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AuditTrail } from '@tessera/audit';
import { CoreModule } from '../core.module.js';
import { PrincipalPolicy } from './principal-policy.js';
import { ssoConfig, throttleConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import type { ThrottleSettings } from '../settings/throttle-settings.js';
import { AuthenticationHandlers } from './authentication-handlers.js';
import { Authenticator } from './authenticator.js';
import { CREDENTIAL_EXTRACTORS } from './credential-extractor.js';
import { LoginThrottles } from './login-throttles.js';
import { PASSWORD_CHECKS, PasswordChanges, type PasswordChecks } from './password-changes.js';
import { PasswordRules } from './password-rules.js';

@Module({
  imports: [CoreModule],
  providers: [
    AuthenticationHandlers,
    {
      provide: PasswordChanges,
      inject: [AuthenticationHandlers, LoginThrottles, AuditTrail, PASSWORD_CHECKS],
      useFactory: (
        handlers: AuthenticationHandlers,
        throttles: LoginThrottles,
        auditTrail: AuditTrail,
        checks: PasswordChecks,
      ) => new PasswordChanges(handlers.all, throttles, auditTrail, checks),
    },
    {
      provide: PASSWORD_CHECKS,
      inject: [ssoConfig.KEY, PrincipalPolicy],
      useFactory: async (
        { passwords }: SsoSettings,
        policy: PrincipalPolicy,
      ): Promise<PasswordChecks> => ({ rules: await PasswordRules.load(passwords), policy }),
    },
    {
      provide: LoginThrottles,
      inject: [getDataSourceToken(), throttleConfig.KEY],
      useFactory: (dataSource: DataSource, throttle: ThrottleSettings) =>
        LoginThrottles.open(dataSource, throttle.policies),
    },
    {
      provide: Authenticator,
      inject: [AuthenticationHandlers, LoginThrottles, PrincipalPolicy, AuditTrail],
      useFactory: (
        handlers: AuthenticationHandlers,
        throttles: LoginThrottles,
        policy: PrincipalPolicy,
        auditTrail: AuditTrail,
      ) => new Authenticator(handlers.all, throttles, policy, auditTrail),
    },
    {
      provide: CREDENTIAL_EXTRACTORS,
      inject: [AuthenticationHandlers],
      useFactory: ({ extractors }: AuthenticationHandlers) => extractors,
    },
  ],
  exports: [Authenticator, PasswordChanges, LoginThrottles, CREDENTIAL_EXTRACTORS],
})
export class AuthenticationModule {}
