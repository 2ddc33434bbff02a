// Authenticates the users of an LDAP directory.
import { accountName } from '@tessera/accounts';
import { LdapDirectory, type LdapOptions } from '@tessera/ldap';
import type {
  AuthenticationHandler,
  Credential,
  UsernamePasswordCredential,
  Verdict,
} from './authentication-handler.js';

export class LdapHandler implements AuthenticationHandler<UsernamePasswordCredential> {
  readonly name = 'ldap';

  private constructor(private readonly directory: LdapDirectory) {}

  /** @throws LdapError LDAP_CA_UNREADABLE */
  static async open(options: LdapOptions): Promise<LdapHandler> {
    return new LdapHandler(await LdapDirectory.open(options));
  }

  get isUnavailable(): boolean {
    return this.directory.isUnavailable;
  }

  supports(credential: Credential): boolean {
    return credential.type === 'UsernamePasswordCredential';
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
