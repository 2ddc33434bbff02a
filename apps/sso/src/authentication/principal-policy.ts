// Applies the account status and further attributes to a principal that a handler accepted.
import type { AccountState, AccountStore } from '@tessera/accounts';
import type { Attributes } from '@tessera/services';
import type { AttributeSourceName } from '../settings/principal-settings.js';
import type { RefusalReason, Verdict } from './authentication-handler.js';

/** The port to a store that has attributes of principals. */
export interface AttributeSource {
  /** As in `sso.authentication.attributes-from`; the handler of the same store has the same name. */
  readonly name: AttributeSourceName;
  /**
   * The attributes of the user with exactly this id; undefined without such a user.
   *
   * @throws where its store is unavailable
   */
  attributesOf(id: string): Promise<Attributes | undefined>;
  close?(): Promise<void>;
}

export class PrincipalPolicy {
  /**
   * @param checksStatus whether a disabled or expired account refuses the principal of the same name
   * @param source its attributes are added to those of the handler
   */
  constructor(
    private readonly accounts: Pick<AccountStore, 'state'>,
    private readonly checksStatus: boolean,
    private readonly source?: AttributeSource,
  ) {}

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
    // The handler of the same name has already returned these attributes.
    if (this.source === undefined || this.source.name === handler) return verdict;
    const joined = { ...accepted.attributes, ...(await this.source.attributesOf(accepted.id)) };
    return { ...verdict, accepted: { ...accepted, attributes: joined } };
  }

  async close(): Promise<void> {
    await this.source?.close?.();
  }

  /** The handler `accounts` checks the status itself. */
  private async refusalByStatus(name: string, handler: string): Promise<RefusalReason | undefined> {
    const isSkipped = !this.checksStatus || handler === 'accounts';
    return isSkipped ? undefined : statusRefusal(await this.accounts.state(name));
  }
}

/** Why an account in this state refuses a login; undefined where it does not, or without an account. */
export function statusRefusal(state: AccountState): RefusalReason | undefined {
  if (state === 'disabled') return 'account disabled';
  return state === 'expired' ? 'account expired' : undefined;
}
