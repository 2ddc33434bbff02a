// Reads a principal's attributes from LDAP directories, without the user's password.
import { accountName } from '@tessera/accounts';
import { LdapDirectory } from '@tessera/ldap';
import { availableFirst } from '@tessera/runtime';
import type { Attributes } from '@tessera/services';
import type { LdapSettings } from '../settings/ldap-settings.js';
import type { AttributeSource } from './attribute-source.js';

export class LdapAttributes implements AttributeSource {
  private constructor(
    readonly name: string,
    readonly handlers: readonly string[],
    private readonly directories: readonly LdapDirectory[],
  ) {}

  /**
   * @param name of the source
   * @param settings of the directories, in their order
   * @throws LdapError LDAP_CA_UNREADABLE
   */
  static async open(name: string, settings: readonly LdapSettings[]): Promise<LdapAttributes> {
    const directories = settings.map((each) => LdapDirectory.open(each.options()));
    const handlers = settings.map(({ handler }) => handler);
    return new LdapAttributes(name, handlers, await Promise.all(directories));
  }

  /**
   * Those of the first directory that has the user. Only an entry whose id is exactly the principal's id counts. A directory
   * ignores case, and its filter may compare other attributes, so a search may return another user.
   *
   * @throws LdapError LDAP_UNAVAILABLE, LDAP_BUSY or LDAP_REFUSED of a directory, where no other has the user
   */
  async attributesOf(id: string): Promise<Attributes | undefined> {
    const errors: unknown[] = [];
    for (const directory of availableFirst(this.directories)) {
      try {
        const user = await directory.find(id);
        if (user !== undefined && accountName(user.id) === id) return user.attributes;
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return undefined;
  }

  close(): Promise<void> {
    for (const directory of this.directories) directory.close();
    return Promise.resolve();
  }
}
