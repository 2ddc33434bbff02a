// The handlers and credential extractors that the settings name.
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { AccountStore } from '@tessera/accounts';
import { ClientAddresses, ExpiryWatch } from '@tessera/server';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import type { AuthenticationHandler } from './authentication-handler.js';
import { type CredentialExtractor, PasswordExtractor } from './credential-extractor.js';
import { openPasswordHandlers } from './password-handlers.js';

@Injectable()
export class AuthenticationHandlers implements OnModuleInit, OnModuleDestroy {
  /** In the order in which they are asked; empty before the initialisation. */
  readonly all: AuthenticationHandler[] = [];
  /** In the order in which they are tried; empty before the initialisation. */
  readonly extractors: CredentialExtractor[] = [];

  constructor(
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
    private readonly accounts: AccountStore,
    private readonly addresses: ClientAddresses,
    private readonly expiries: ExpiryWatch,
  ) {}

  /** @throws LdapError LDAP_CA_UNREADABLE, CertificateError CERTIFICATE_FILES_UNREADABLE */
  async onModuleInit(): Promise<void> {
    for (const name of this.settings.handlerNames) {
      this.all.push(...(await openPasswordHandlers(name, this.settings, this.accounts)));
    }
    if (this.settings.modules.includes('rest-x509')) {
      const { openX509 } = await import('../rest-x509/open-x509.js');
      const { extractor, handler } = await openX509(this.settings, this.addresses, this.expiries);
      this.all.push(handler);
      this.extractors.push(extractor);
    }
    this.extractors.push(new PasswordExtractor());
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.all.flatMap((each) => each.close?.() ?? []));
  }
}
