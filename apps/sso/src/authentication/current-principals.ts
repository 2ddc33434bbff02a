// Reads the attributes and the account of a user with a session anew, for decisions about roles.
import {
  Inject,
  Injectable,
  Module,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { AccountsModule, AccountStore } from '@tessera/accounts';
import type { Attributes, Principal } from '@tessera/services';
import type { Authentication } from '@tessera/tickets';
import type { SsoSettings } from '../settings/sso-settings.js';
import { isHandlerName } from './handler-names.js';
import type { LdapAttributes } from './ldap-attributes.js';
import { PrincipalPolicy } from './principal-policy.js';
import { ssoConfig } from '../settings/namespaces.js';

@Injectable()
export class CurrentPrincipals implements OnModuleInit, OnModuleDestroy {
  private directory: LdapAttributes | undefined;

  constructor(
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
    private readonly accounts: AccountStore,
    private readonly policy: PrincipalPolicy,
  ) {}

  /** @throws LdapError LDAP_CA_UNREADABLE */
  async onModuleInit(): Promise<void> {
    const { handlers, ldap } = this.settings;
    // A directory of direct binds answers nothing without the password of the user.
    if (!handlers.includes('ldap') || ldap.userDn !== '') return;
    const { LdapAttributes } = await import('./ldap-attributes.js');
    this.directory = await LdapAttributes.open(ldap.options());
  }

  async onModuleDestroy(): Promise<void> {
    await this.directory?.close();
  }

  /**
   * The principal as a login would find it now; undefined where the handler has no such user any more, or his account
   * refuses a login. Where the handler can tell nothing without the credential, as with certificates, the attributes are
   * those of the login.
   *
   * @throws DatabaseError, LdapError where the account or the attributes cannot be read
   */
  async of({ principal, handler }: Authentication): Promise<Principal | undefined> {
    const { id } = principal;
    const attributes = await this.attributesOf(principal, handler);
    if (attributes === undefined) return undefined;
    return (await this.policy.apply({ accepted: { id, attributes } }, handler, id)).accepted;
  }

  private async attributesOf(
    { id, attributes }: Principal,
    handler: string,
  ): Promise<Attributes | undefined> {
    if (!isHandlerName(handler)) return attributes;
    if (!this.settings.handlers.includes(handler)) return undefined;
    switch (handler) {
      case 'accounts': {
        const account = await this.accounts.findSummary(id);
        return account?.disabled || account?.expired ? undefined : account?.attributes;
      }
      case 'static':
        return this.settings.demoUsers.find(({ name }) => name === id)?.attributes;
      case 'ldap':
        return this.directory === undefined ? attributes : this.directory.attributesOf(id);
    }
  }
}

@Module({
  imports: [AccountsModule],
  providers: [CurrentPrincipals, PrincipalPolicy],
  exports: [CurrentPrincipals, PrincipalPolicy],
})
export class CurrentPrincipalsModule {}
