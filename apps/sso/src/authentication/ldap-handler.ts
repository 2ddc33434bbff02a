// Authenticates the users of an LDAP directory.
import { accountName, fileTime, generalizedTime } from '@tessera/accounts';
import {
  LdapDirectory,
  type PasswordRefusal,
  type PasswordState,
  type PasswordVerdict,
} from '@tessera/ldap';
import { valuePattern, type ValuePattern } from '@tessera/services';
import type { LdapSettings } from '../settings/ldap-settings.js';
import type {
  AuthenticationHandler,
  Credential,
  PasswordChange,
  PasswordChangeRefusal,
  PasswordChangeVerdict,
  PasswordExpiry,
  UsernamePasswordCredential,
  Verdict,
} from './authentication-handler.js';

const SECOND = 1_000;

export class LdapHandler implements AuthenticationHandler<UsernamePasswordCredential> {
  readonly name: string;
  readonly changePassword?: (change: PasswordChange) => Promise<PasswordChangeVerdict>;

  private constructor(
    { handler, passwordChange }: LdapSettings,
    private readonly usernames: ValuePattern,
    private readonly directory: LdapDirectory,
  ) {
    this.name = handler;
    if (passwordChange !== 'off') this.changePassword = (change) => this.change(change);
  }

  /** @throws LdapError LDAP_CA_UNREADABLE */
  static async open(settings: LdapSettings): Promise<LdapHandler> {
    const usernames = valuePattern(settings.namePattern);
    const directory = await LdapDirectory.open(settings.options());
    return new LdapHandler(settings, usernames, directory);
  }

  get isUnavailable(): boolean {
    return this.directory.isUnavailable;
  }

  /** Names that no account can have are refused, not left to another handler. */
  supports(credential: Credential): boolean {
    if (credential.type !== 'UsernamePasswordCredential') return false;
    const name = accountName(credential.username);
    return name === undefined || this.usernames.matches(name);
  }

  /**
   * The principal has the id that the directory returns, normalised like an account name.
   *
   * @throws LdapError LDAP_UNAVAILABLE, LDAP_BUSY or LDAP_REFUSED
   */
  async authenticate({ username, password }: UsernamePasswordCredential): Promise<Verdict> {
    const name = accountName(username);
    if (name === undefined) return { refused: 'unknown user' };
    const verdict = await this.directory.authenticate(name, password);
    if (verdict.accepted === undefined) return verdict;
    const { accepted, password: state = {} } = verdict;
    const id = accountName(accepted.id);
    if (id === undefined) return { refused: 'no usable id' };
    return { accepted: { ...accepted, id }, passwordExpiry: this.expiryOf(state, new Date()) };
  }

  /** Undefined where the directory does not say, and for a password that never expires. */
  private expiryOf(
    { expiresIn, graceLogins, expiry = '' }: PasswordState,
    now: Date,
  ): PasswordExpiry | undefined {
    const read = /^\d+$/.test(expiry) ? fileTime : generalizedTime;
    const expiresAt =
      expiresIn === undefined ? read(expiry) : new Date(now.getTime() + expiresIn * SECOND);
    if (!expiresAt && graceLogins === undefined) return undefined;
    const mayChange = this.changePassword !== undefined;
    return { expiresAt: expiresAt ?? undefined, graceLogins, mayChange };
  }

  private async change({
    credential: { username, password: oldPassword },
    newPassword,
  }: PasswordChange): Promise<PasswordChangeVerdict> {
    const name = accountName(username);
    if (name === undefined) return { outcome: 'credential refused', reason: 'unknown user' };
    return changeVerdictOf(
      await this.directory.changePassword({ username: name, oldPassword, newPassword }),
    );
  }

  /** Closes pooled connections. */
  close(): Promise<void> {
    this.directory.close();
    return Promise.resolve();
  }
}

const CHANGE_REFUSALS: Readonly<
  Record<Exclude<PasswordRefusal, 'wrong password'>, PasswordChangeRefusal>
> = {
  'password too short': 'PASSWORD_TOO_SHORT',
  'password too weak': 'PASSWORD_TOO_WEAK',
  'password in history': 'PASSWORD_IN_HISTORY',
  'password too young': 'PASSWORD_TOO_YOUNG',
  'password not accepted': 'PASSWORD_NOT_ACCEPTED',
  'change not permitted': 'PASSWORD_CHANGE_FORBIDDEN',
};

function changeVerdictOf(verdict: PasswordVerdict): PasswordChangeVerdict {
  switch (verdict.outcome) {
    case 'user refused':
      return { outcome: 'credential refused', reason: verdict.reason };
    case 'password refused': {
      const { reason } = verdict;
      return reason === 'wrong password'
        ? { outcome: 'credential refused', reason }
        : { outcome: 'password refused', reason: CHANGE_REFUSALS[reason] };
    }
    default:
      return verdict;
  }
}
