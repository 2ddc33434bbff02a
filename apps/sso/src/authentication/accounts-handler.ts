// Authenticates the accounts in PostgreSQL by their password hashes.
import type { AccountState, AccountStore, UserAccount } from '@tessera/accounts';
import type { PasswordHashing } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import type { Principal } from '@tessera/services';
import type {
  AuthenticationHandler,
  Credential,
  PasswordChange,
  PasswordChangeVerdict,
  RefusalReason,
  UsernamePasswordCredential,
  Verdict,
} from './authentication-handler.js';
import { statusRefusal } from './principal-policy.js';

const log = loggerFor('authentication');

export interface AccountPasswordPolicy {
  /** Milliseconds from the change of a password to its end; 0 for no end. */
  readonly maxAge: number;
  /** The number of last passwords that users may not take again; undefined: they may not change their password. */
  readonly history?: number | undefined;
}

export class AccountsHandler implements AuthenticationHandler<UsernamePasswordCredential> {
  readonly name = 'accounts';
  private readonly renewals = new Set<Promise<void>>();

  readonly changePassword?: (change: PasswordChange) => Promise<PasswordChangeVerdict>;

  constructor(
    private readonly accounts: AccountStore,
    private readonly hashing: PasswordHashing,
    private readonly policy: AccountPasswordPolicy = { maxAge: 0 },
  ) {
    const { history } = policy;
    if (history !== undefined) this.changePassword = (change) => this.change(change, history);
  }

  supports(credential: Credential): boolean {
    return credential.type === 'UsernamePasswordCredential';
  }

  /**
   * Every refusal does the same work: one statement, and at least one argon2 verification with the current parameters.
   * A decoy hash replaces a missing or unusable one. Attributes are read only after a successful check.
   *
   * @throws CryptoError PASSWORD_HASHING_BUSY
   * @throws DatabaseError DATABASE_UNAVAILABLE
   */
  async authenticate(credential: UsernamePasswordCredential): Promise<Verdict> {
    const verdict = await this.check(credential);
    const expiresAt = expiryOf(verdict, this.policy);
    if (verdict.accepted === undefined || expiresAt === undefined) return verdict;
    if (expiresAt.getTime() <= Date.now()) return { refused: 'password expired' };
    const mayChange = this.changePassword !== undefined;
    return { ...verdict, passwordExpiry: { expiresAt, mayChange } };
  }

  /** Whether the password is right, also one that has expired. */
  private async check({ username, password }: UsernamePasswordCredential): Promise<Checked> {
    const { decoyHash } = this.hashing;
    const { state, passwordHash } = await this.accounts.login(username, decoyHash);
    const isUsable = this.hashing.supports(passwordHash);
    const hash = isUsable ? passwordHash : decoyHash;
    const isPassword = await this.hashing.verify(hash, password);
    const refused = refusalOf({ state, isUsable, isPassword });
    if (refused !== undefined) {
      // Another hash takes another time than the decoy. An additional decoy verification hides a cheaper one.
      if (this.hashing.needsRehash(hash)) await this.hashing.verifyDecoy(password);
      return { refused };
    }
    const account = await this.accounts.find(username);
    if (account === undefined) return { refused: 'unknown user' };
    // The account may have changed during the password check, also its password, or only its hash.
    const changed = statusRefusal(stateOf(account));
    if (changed !== undefined) return { refused: changed };
    const isOther = account.passwordHash !== hash;
    if (isOther && !(await this.hashing.verify(account.passwordHash, password))) {
      return { refused: 'wrong password' };
    }
    this.renewIfOutdated(account.name, hash, password);
    const { attributes, passwordChangedAt } = account;
    return { accepted: { id: account.name, attributes }, passwordChangedAt };
  }

  private async change(
    { credential, newPassword }: PasswordChange,
    history: number,
  ): Promise<PasswordChangeVerdict> {
    const verdict = await this.check(credential);
    if (verdict.accepted === undefined) {
      return { outcome: 'credential refused', reason: verdict.refused };
    }
    const { accepted, passwordChangedAt: checked } = verdict;
    const { id: name } = accepted;
    const { passwords } = this.accounts;
    // The current one counts, too; the caller has compared it.
    const kept = Math.max(0, history - 1);
    for (const hash of await passwords.former(name, kept)) {
      if (await this.hashing.verify(hash, newPassword)) {
        return { outcome: 'password refused', reason: 'PASSWORD_IN_HISTORY' };
      }
    }
    const newHash = await this.hashing.hash(newPassword);
    try {
      return (await passwords.replace({ name, checked, newHash, kept }))
        ? { outcome: 'changed' }
        : { outcome: 'credential refused', reason: 'wrong password' };
    } catch (error) {
      return { outcome: 'unknown', error };
    }
  }

  /** Waits until all pending hash renewals have succeeded or failed. */
  async close(): Promise<void> {
    await Promise.all(this.renewals);
  }

  /** Runs in the background: the login neither waits for it nor fails with it. */
  private renewIfOutdated(name: string, oldHash: string, password: string): void {
    if (!this.hashing.needsRehash(oldHash)) {
      return;
    }
    const renewal = this.renew(name, oldHash, password).finally(() =>
      this.renewals.delete(renewal),
    );
    this.renewals.add(renewal);
  }

  private async renew(name: string, oldHash: string, password: string): Promise<void> {
    try {
      const hash = await this.hashing.hash(password);
      const replaced = await this.accounts.replaceHash(name, oldHash, hash);
      log.info(
        { username: name, replaced },
        'password hash renewed as argon2id of the current parameters',
      );
    } catch (error) {
      log.warn({ username: name, error }, 'password hash not renewed; the next login tries again');
    }
  }
}

/** What {@link AccountsHandler} finds of a password, whatever its age. */
type Checked =
  | { readonly accepted: Principal; readonly passwordChangedAt: Date }
  | { readonly accepted?: never; readonly refused: RefusalReason };

/** Undefined for a password that is refused, and where passwords do not expire. */
function expiryOf(verdict: Checked, { maxAge }: AccountPasswordPolicy): Date | undefined {
  return verdict.accepted === undefined || maxAge === 0
    ? undefined
    : new Date(verdict.passwordChangedAt.getTime() + maxAge);
}

interface PasswordCheck {
  readonly state: AccountState;
  /** Whether the hash can be verified. */
  readonly isUsable: boolean;
  readonly isPassword: boolean;
}

/** The account's status is logged only for the right password. */
function refusalOf({ state, isUsable, isPassword }: PasswordCheck): RefusalReason | undefined {
  if (state === 'unknown') return 'unknown user';
  if (!isUsable) return 'unusable password hash';
  return isPassword ? statusRefusal(state) : 'wrong password';
}

function stateOf({ disabled, expired }: UserAccount): AccountState {
  if (disabled) return 'disabled';
  return expired ? 'expired' : 'active';
}
