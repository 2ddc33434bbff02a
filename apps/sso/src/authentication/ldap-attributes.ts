// Reads a principal's attributes from an LDAP directory, without the user's password.
import { accountName } from '@tessera/accounts';
import { LdapDirectory, type LdapOptions } from '@tessera/ldap';
import type { Attributes } from '@tessera/services';
import type { AttributeSource } from './attribute-source.js';

export class LdapAttributes implements AttributeSource {
  readonly name = 'ldap';

  private constructor(private readonly directory: LdapDirectory) {}

  /** @throws LdapError LDAP_CA_UNREADABLE */
  static async open(options: LdapOptions): Promise<LdapAttributes> {
    return new LdapAttributes(await LdapDirectory.open(options));
  }

  /**
   * Only an entry whose id is exactly the principal's id counts. A directory ignores case, and its filter may compare
   * other attributes, so a search may return another user.
   *
   * @throws LdapError LDAP_UNAVAILABLE, LDAP_BUSY or LDAP_REFUSED
   */
  async attributesOf(id: string): Promise<Attributes | undefined> {
    const user = await this.directory.find(id);
    return user !== undefined && accountName(user.id) === id ? user.attributes : undefined;
  }

  close(): Promise<void> {
    this.directory.close();
    return Promise.resolve();
  }
}
