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
import type { LdapAttributes } from './ldap-attributes.js';
import { PrincipalPolicy } from './principal-policy.js';
import { ssoConfig } from '../settings/namespaces.js';

@Injectable()
export class CurrentPrincipals implements OnModuleInit, OnModuleDestroy {
  /** By the names of their handlers. */
  private readonly directories = new Map<string, LdapAttributes>();

  constructor(
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
    private readonly accounts: AccountStore,
    private readonly policy: PrincipalPolicy,
  ) {}

  /** @throws LdapError LDAP_CA_UNREADABLE */
  async onModuleInit(): Promise<void> {
    if (!this.settings.handlers.includes('ldap')) return;
    const { LdapAttributes } = await import('./ldap-attributes.js');
    for (const each of this.settings.directories.filter(({ isSearched }) => isSearched)) {
      this.directories.set(each.handler, await LdapAttributes.open([each]));
    }
  }

  async onModuleDestroy(): Promise<void> {
    for (const directory of this.directories.values()) await directory.close();
  }

  /**
   * The principal as a login would find it now; undefined where the handler has no such user any more, or his account
   * refuses a login. Where the handler can tell nothing without the credential, as with certificates and direct binds, the
   * attributes are those of the login.
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
    if (handler === 'x509') return attributes;
    const { handlers, directories, demoUsers } = this.settings;
    const directory = directories.find((each) => each.handler === handler);
    if (!handlers.includes(directory === undefined ? handler : 'ldap')) return undefined;
    if (directory?.isSearched) return this.directories.get(handler)?.attributesOf(id);
    if (directory) return attributes;
    switch (handler) {
      case 'accounts': {
        const account = await this.accounts.findSummary(id);
        return account?.disabled || account?.expired ? undefined : account?.attributes;
      }
      case 'static':
        return demoUsers.find(({ name }) => name === id)?.attributes;
      default:
        return undefined;
    }
  }
}

@Module({
  imports: [AccountsModule],
  providers: [CurrentPrincipals, PrincipalPolicy],
  exports: [CurrentPrincipals, PrincipalPolicy],
})
export class CurrentPrincipalsModule {}
