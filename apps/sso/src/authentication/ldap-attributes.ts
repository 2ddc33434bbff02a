// Reads the attributes of a principal from an LDAP directory, without the user's password.
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
   * A directory compares names loosely, and its filter may compare other attributes: the id of the entry
   * has to be the principal's name, or another user's attributes would be given.
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
