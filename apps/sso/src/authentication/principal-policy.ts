// Decides what else holds for a principal that a handler accepted: the status of its account, and further attributes.
import type { AccountState, AccountStore } from '@tessera/accounts';
import type { AttributeSource } from './attribute-source.js';
import type { RefusalReason, Verdict } from './authentication-handler.js';

export class PrincipalPolicy {
  /**
   * @param checksStatus whether a disabled or expired account refuses a principal of its name
   * @param source whose attributes are joined to those that the handler gave
   */
  constructor(
    private readonly accounts: Pick<AccountStore, 'state'>,
    private readonly checksStatus: boolean,
    private readonly source?: AttributeSource,
  ) {}

  /**
   * The verdict that counts, in place of the one that a handler gave.
   *
   * @param name the user name of the credential, looked up where the handler refused: all refusals are the same work
   * @throws DatabaseError, LdapError where the account or the attributes cannot be read: never a pass, nor fewer rights
   */
  async apply(verdict: Verdict, handler: string, name: string): Promise<Verdict> {
    const { accepted } = verdict;
    const refused = await this.statusOf(accepted?.id ?? name, handler);
    if (accepted === undefined) return verdict;
    if (refused !== undefined) return { refused };
    // The handler of the same name has just given what the source has.
    if (this.source === undefined || this.source.name === handler) return verdict;
    const joined = { ...accepted.attributes, ...(await this.source.attributesOf(accepted.id)) };
    return { accepted: { ...accepted, attributes: joined } };
  }

  async close(): Promise<void> {
    await this.source?.close?.();
  }

  /** The handler `accounts` has judged the account itself. */
  private async statusOf(name: string, handler: string): Promise<RefusalReason | undefined> {
    const isJudged = !this.checksStatus || handler === 'accounts';
    return isJudged ? undefined : statusRefusal(await this.accounts.state(name));
  }
}

/** Why an account in this state refuses a login; undefined where it does not, or where there is none. */
export function statusRefusal(state: AccountState): RefusalReason | undefined {
  if (state === 'disabled') return 'account disabled';
  return state === 'expired' ? 'account expired' : undefined;
}
