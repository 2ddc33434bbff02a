// Applies the account status and further attributes to a principal that a handler accepted.
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type AccountState, AccountStore } from '@tessera/accounts';
import { ssoConfig } from '../settings/namespaces.js';
import type { RefusalReason, Verdict } from './authentication-handler.js';
import { FurtherAttributes, type Reading } from './further-attributes.js';
import { openAttributeSources, type SourceHolder } from './open-attribute-sources.js';

@Injectable()
export class PrincipalPolicy implements OnModuleInit, OnModuleDestroy {
  private further: FurtherAttributes | undefined;

  constructor(
    @Inject(ssoConfig.KEY) private readonly settings: SourceHolder,
    private readonly accounts: AccountStore,
  ) {}

  /** @throws LdapError LDAP_CA_UNREADABLE, DatabaseError DATABASE_REFUSED */
  async onModuleInit(): Promise<void> {
    const sources = await openAttributeSources(this.settings, this.accounts);
    this.further = new FurtherAttributes(sources, this.settings.principals);
  }

  /**
   * Returns the final verdict for the verdict of a handler.
   *
   * @param name the user name of the credential. It is looked up for a refusal, so that all refusals do the same work.
   * @throws DatabaseError, LdapError, AttributesError where the account or the attributes cannot be read
   */
  async apply(
    verdict: Verdict,
    handler: string,
    name: string,
    reading: Reading = 'cached',
  ): Promise<Verdict> {
    const { accepted } = verdict;
    const refused = await this.refusalByStatus(accepted?.id ?? name, handler);
    if (accepted === undefined) return verdict;
    if (refused !== undefined) return { refused };
    if (this.further === undefined) return verdict;
    const attributes = await this.further.of(accepted, handler, reading);
    return { ...verdict, accepted: { ...accepted, attributes } };
  }

  async onModuleDestroy(): Promise<void> {
    await this.further?.close();
  }

  /** Why the account of a user of a handler refuses a login. The handler `accounts` checks the status itself. */
  async refusalByStatus(name: string, handler: string): Promise<RefusalReason | undefined> {
    const isSkipped = !this.settings.principals.accountStatus || handler === 'accounts';
    return isSkipped ? undefined : statusRefusal(await this.accounts.state(name));
  }
}

/** Why an account in this state refuses a login; undefined where it does not, or without an account. */
export function statusRefusal(state: AccountState): RefusalReason | undefined {
  if (state === 'disabled') return 'account disabled';
  return state === 'expired' ? 'account expired' : undefined;
}
