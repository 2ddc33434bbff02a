// Authenticates the users of an LDAP directory.
import { accountName } from '@tessera/accounts';
import { LdapDirectory } from '@tessera/ldap';
import { valuePattern, type ValuePattern } from '@tessera/services';
import type { LdapSettings } from '../settings/ldap-settings.js';
import type {
  AuthenticationHandler,
  Credential,
  UsernamePasswordCredential,
  Verdict,
} from './authentication-handler.js';

export class LdapHandler implements AuthenticationHandler<UsernamePasswordCredential> {
  private constructor(
    readonly name: string,
    private readonly usernames: ValuePattern,
    private readonly directory: LdapDirectory,
  ) {}

  /** @throws LdapError LDAP_CA_UNREADABLE */
  static async open(settings: LdapSettings): Promise<LdapHandler> {
    const usernames = valuePattern(settings.namePattern);
    const directory = await LdapDirectory.open(settings.options());
    return new LdapHandler(settings.handler, usernames, directory);
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
    const { accepted, refused } = await this.directory.authenticate(name, password);
    if (accepted === undefined) return { refused };
    const id = accountName(accepted.id);
    return id === undefined ? { refused: 'no usable id' } : { accepted: { ...accepted, id } };
  }

  /** Closes pooled connections. */
  close(): Promise<void> {
    this.directory.close();
    return Promise.resolve();
  }
}
