// Applies the account status and further attributes to a principal that a handler accepted.
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type AccountState, AccountStore } from '@tessera/accounts';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import type { AttributeSource } from './attribute-source.js';
import type { RefusalReason, Verdict } from './authentication-handler.js';

@Injectable()
export class PrincipalPolicy implements OnModuleInit, OnModuleDestroy {
  /** Its attributes are added to those of the handler. */
  private source: AttributeSource | undefined;

  constructor(
    @Inject(ssoConfig.KEY)
    private readonly settings: Pick<SsoSettings, 'principals' | 'directories'>,
    private readonly accounts: AccountStore,
  ) {}

  /** @throws LdapError LDAP_CA_UNREADABLE */
  async onModuleInit(): Promise<void> {
    const { principals, directories } = this.settings;
    if (principals.attributesFrom === 'accounts') {
      this.source = {
        handlers: ['accounts'],
        attributesOf: async (id) => (await this.accounts.find(id))?.attributes,
      };
    } else if (principals.attributesFrom === 'ldap') {
      // Loaded on demand: most deployments have no directory.
      const { LdapAttributes } = await import('./ldap-attributes.js');
      this.source = await LdapAttributes.open(directories);
    }
  }

  /**
   * Returns the final verdict for the verdict of a handler.
   *
   * @param name the user name of the credential. It is looked up for a refusal, so that all refusals do the same work.
   * @throws DatabaseError, LdapError where the account or the attributes cannot be read
   */
  async apply(verdict: Verdict, handler: string, name: string): Promise<Verdict> {
    const { accepted } = verdict;
    const refused = await this.refusalByStatus(accepted?.id ?? name, handler);
    if (accepted === undefined) return verdict;
    if (refused !== undefined) return { refused };
    // A handler of the same store has already returned these attributes.
    if (this.source === undefined || this.source.handlers.includes(handler)) return verdict;
    const joined = { ...accepted.attributes, ...(await this.source.attributesOf(accepted.id)) };
    return { ...verdict, accepted: { ...accepted, attributes: joined } };
  }

  async onModuleDestroy(): Promise<void> {
    await this.source?.close?.();
  }

  /** The handler `accounts` checks the status itself. */
  private async refusalByStatus(name: string, handler: string): Promise<RefusalReason | undefined> {
    const isSkipped = !this.settings.principals.accountStatus || handler === 'accounts';
    return isSkipped ? undefined : statusRefusal(await this.accounts.state(name));
  }
}

/** Why an account in this state refuses a login; undefined where it does not, or without an account. */
export function statusRefusal(state: AccountState): RefusalReason | undefined {
  if (state === 'disabled') return 'account disabled';
  return state === 'expired' ? 'account expired' : undefined;
}
