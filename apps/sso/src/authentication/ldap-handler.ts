// Accepts the users of an LDAP directory. How a directory is asked is the library's part.
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

  supports(credential: Credential): boolean {
    return credential.type === 'UsernamePasswordCredential';
  }

  /**
   * The principal is who the directory says, in its spelling, and under the rules of accounts' names.
   *
   * @throws LdapError LDAP_UNAVAILABLE, LDAP_BUSY or LDAP_REFUSED
   */
  async authenticate({ username, password }: UsernamePasswordCredential): Promise<Verdict> {
    const asked = accountName(username);
    if (asked === undefined) return { refused: 'unknown user' };
    const { accepted, refused } = await this.directory.authenticate(asked, password);
    if (accepted === undefined) return { refused };
    const id = accountName(accepted.id);
    return id === undefined ? { refused: 'no usable id' } : { accepted: { ...accepted, id } };
  }

  /** Closes the connections that logins left open for the next. */
  close(): Promise<void> {
    this.directory.close();
    return Promise.resolve();
  }
}
