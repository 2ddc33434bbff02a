// Accepts the users kept in PostgreSQL by the hashes of their passwords. Where accounts are kept, and
// how hashes are made and read, is the libraries' part.
import type { AccountStore, UserAccount } from '@tessera/accounts';
import type { PasswordHashing } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import type {
  AuthenticationHandler,
  Credential,
  RefusalReason,
  UsernamePasswordCredential,
  Verdict,
} from './authentication-handler.js';

const log = loggerFor('authentication');

export class AccountsHandler implements AuthenticationHandler<UsernamePasswordCredential> {
  readonly name = 'accounts';
  private readonly renewals = new Set<Promise<void>>();

  constructor(
    private readonly accounts: AccountStore,
    private readonly hashing: PasswordHashing,
  ) {}

  supports(credential: Credential): boolean {
    return credential.type === 'UsernamePasswordCredential';
  }

  /**
   * Every refusal costs at least one argon2 verification of the current parameters: an unknown user's
   * is of a decoy, and a disabled or expired account's password is checked before the refusal.
   *
   * @throws CryptoError PASSWORD_HASHING_BUSY
   * @throws DatabaseError DATABASE_UNAVAILABLE
   */
  async authenticate({ username, password }: UsernamePasswordCredential): Promise<Verdict> {
    const account = await this.accounts.find(username);
    if (!account || !this.hashing.understands(account.passwordHash)) {
      await this.hashing.verifyDecoy(password);
      return { refused: account ? 'unusable password hash' : 'unknown user' };
    }
    const isPassword = await this.hashing.verify(account.passwordHash, password);
    const refused = isPassword ? faultOf(account) : 'wrong password';
    if (refused) {
      // Any other hash takes another time than the decoy: the same work on top hides a cheaper one.
      if (this.hashing.needsRehash(account.passwordHash)) await this.hashing.verifyDecoy(password);
      return { refused };
    }
    this.renewIfOutdated(account, password);
    return { accepted: { id: account.name, attributes: account.attributes } };
  }

  /** Resolves when the hashes that logins wanted renewed are written, or have failed to be. */
  async close(): Promise<void> {
    await Promise.all(this.renewals);
  }

  /** Behind the login, which waits for none of it and does not fail with it. */
  private renewIfOutdated(account: UserAccount, password: string): void {
    if (!this.hashing.needsRehash(account.passwordHash)) {
      return;
    }
    const renewal = this.renew(account, password).finally(() => this.renewals.delete(renewal));
    this.renewals.add(renewal);
  }

  private async renew({ name, passwordHash }: UserAccount, password: string): Promise<void> {
    try {
      const hash = await this.hashing.hash(password);
      const replaced = await this.accounts.replaceHash(name, passwordHash, hash);
      log.info(
        { username: name, replaced },
        'password hash renewed as argon2id of the current parameters',
      );
    } catch (error) {
      log.warn({ username: name, error }, 'password hash not renewed; the next login tries again');
    }
  }
}

function faultOf({ disabled, expired }: UserAccount): RefusalReason | undefined {
  if (disabled) {
    return 'account disabled';
  }
  return expired ? 'account expired' : undefined;
}
