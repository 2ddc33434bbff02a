// Reads the attributes and the account of a user with a session anew, for decisions about roles.
import {
  Inject,
  Injectable,
  Module,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { AccountsModule, AccountStore } from '@tessera/accounts';
import { LiveSettings, type ReloadableResource } from '@tessera/config';
import type { Attributes, Principal } from '@tessera/services';
import type { Authentication } from '@tessera/tickets';
import type { SsoSettings } from '../settings.js';
import { isHandlerName } from './handler-names.js';
import type { LdapAttributes } from './ldap-attributes.js';
import { openPrincipalPolicy } from './open-principal-policy.js';
import type { PrincipalPolicy } from './principal-policy.js';

@Injectable()
export class CurrentPrincipals implements OnModuleInit, OnModuleDestroy {
  private policy!: Pick<PrincipalPolicy, 'apply' | 'close'>;
  private directory!: ReloadableResource<SsoSettings, LdapAttributes | undefined>;
  /** What is open: a start that fails may end this before both are. */
  private readonly open: { close(): Promise<void> }[] = [];

  constructor(
    @Inject(LiveSettings) private readonly live: LiveSettings<SsoSettings>,
    private readonly accounts: AccountStore,
  ) {}

  /** @throws LdapError LDAP_CA_UNREADABLE */
  async onModuleInit(): Promise<void> {
    this.policy = await openPrincipalPolicy(this.live, this.accounts);
    this.open.push(this.policy);
    this.directory = await this.live.derive({
      // A directory of direct binds answers nothing without the password of the user.
      of: ({ ldap, handlers }) =>
        handlers.includes('ldap') && ldap.userDn === '' ? ldap : undefined,
      make: async (ldap) => {
        if (ldap === undefined) return undefined;
        const { LdapAttributes } = await import('./ldap-attributes.js');
        return LdapAttributes.open(ldap.options());
      },
      files: (ldap) => ldap?.files ?? [],
      retire: (directory) => directory?.close(),
    });
    this.open.push(this.directory);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.open.map((each) => each.close()));
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
    if (!this.live.current.handlers.includes(handler)) return undefined;
    switch (handler) {
      case 'accounts': {
        const account = await this.accounts.findSummary(id);
        return account?.disabled || account?.expired ? undefined : account?.attributes;
      }
      case 'static':
        return this.live.current.demoUsers.find(({ name }) => name === id)?.attributes;
      case 'ldap':
        return this.directory.use((directory) =>
          directory === undefined ? Promise.resolve(attributes) : directory.attributesOf(id),
        );
    }
  }
}

@Module({
  imports: [AccountsModule],
  providers: [CurrentPrincipals],
  exports: [CurrentPrincipals],
})
export class CurrentPrincipalsModule {}
