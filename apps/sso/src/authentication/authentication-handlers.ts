// The handlers, credential extractors and principal policy that the settings name.
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountStore } from '@tessera/accounts';
import { ClientAddresses, ExpiryWatch } from '@tessera/server';
import { LiveSettings } from '@tessera/config';
import type { SsoSettings } from '../settings.js';
import type { AuthenticationHandler } from './authentication-handler.js';
import { type CredentialExtractor, PasswordExtractor } from './credential-extractor.js';
import { openPrincipalPolicy } from './open-principal-policy.js';
import { openPasswordHandlers } from './password-handlers.js';
import type { PrincipalPolicy } from './principal-policy.js';

type Policy = Pick<PrincipalPolicy, 'apply' | 'close'>;

@Injectable()
export class AuthenticationHandlers implements OnModuleInit, Policy {
  /** In the order in which they are asked; empty before the initialisation. */
  readonly all: AuthenticationHandler[] = [];
  /** In the order in which they are tried; empty before the initialisation. */
  readonly extractors: CredentialExtractor[] = [];
  private policy: Policy | undefined;

  constructor(
    @Inject(LiveSettings) private readonly live: LiveSettings<SsoSettings>,
    private readonly accounts: AccountStore,
    private readonly addresses: ClientAddresses,
    private readonly expiries: ExpiryWatch,
  ) {}

  /**
   * Opens all of them.
   *
   * @throws LdapError LDAP_CA_UNREADABLE, CertificateError CERTIFICATE_FILES_UNREADABLE
   */
  async onModuleInit(): Promise<void> {
    this.all.push(...(await openPasswordHandlers(this.live, this.accounts)));
    if (this.live.current.modules.includes('rest-x509')) {
      const { openX509 } = await import('../rest-x509/open-x509.js');
      const { extractor, handler } = await openX509(this.live, this.addresses, this.expiries);
      this.all.push(handler);
      this.extractors.push(extractor);
    }
    this.extractors.push(new PasswordExtractor());
    this.policy = await openPrincipalPolicy(this.live, this.accounts);
  }

  readonly apply: Policy['apply'] = (...attempt) => {
    if (this.policy === undefined) throw new Error('the handlers are not initialised');
    return this.policy.apply(...attempt);
  };

  async close(): Promise<void> {
    await this.policy?.close();
  }
}
