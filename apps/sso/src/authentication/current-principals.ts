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
import { ssoConfig } from '../settings/namespaces.js';
import { CERTIFICATE_ATTRIBUTES } from './certificate-attributes.js';
import type { LdapAttributes } from './ldap-attributes.js';
import { PrincipalPolicy } from './principal-policy.js';

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
      this.directories.set(each.handler, await LdapAttributes.open(each.handler, [each]));
    }
  }

  async onModuleDestroy(): Promise<void> {
    for (const directory of this.directories.values()) await directory.close();
  }

  /**
   * The principal as a login would find it now; undefined where the handler has no such user any more, or his account
   * refuses a login. Where the handler can tell nothing without the credential, as with certificates and direct binds, its
   * attributes are those of the login; those of further sources are read anew.
   *
   * @throws DatabaseError, LdapError where the account or the attributes cannot be read
   */
  async of({
    principal,
    handler,
  }: Pick<Authentication, 'principal' | 'handler'>): Promise<Principal | undefined> {
    const { id } = principal;
    const attributes = await this.attributesOf(principal, handler);
    if (attributes === undefined) return undefined;
    const verdict = { accepted: { id, attributes } };
    return (await this.policy.apply(verdict, handler, id, 'anew')).accepted;
  }

  private async attributesOf(
    { id, attributes }: Principal,
    handler: string,
  ): Promise<Attributes | undefined> {
    if (handler === 'x509') return ofNames(attributes, CERTIFICATE_ATTRIBUTES);
    const { handlers, directories, demoUsers } = this.settings;
    const directory = directories.find((each) => each.handler === handler);
    if (!handlers.includes(directory === undefined ? handler : 'ldap')) return undefined;
    if (directory?.isSearched) return this.directories.get(handler)?.attributesOf(id);
    if (directory) return ofNames(attributes, Object.values(directory.attributes));
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

/** Those that the handler itself gives: a session has them together with those of further sources. */
function ofNames(attributes: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name)));
}

@Module({
  imports: [AccountsModule],
  providers: [CurrentPrincipals, PrincipalPolicy],
  exports: [CurrentPrincipals, PrincipalPolicy],
})
export class CurrentPrincipalsModule {}
