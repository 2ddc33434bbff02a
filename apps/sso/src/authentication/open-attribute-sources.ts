// Opens the sources of further attributes that the settings name.
import type { AccountStore } from '@tessera/accounts';
import type { SsoSettings } from '../settings/sso-settings.js';
import type { AttributeSource } from './attribute-source.js';

export type SourceHolder = Pick<
  SsoSettings,
  'principals' | 'directories' | 'sqlSources' | 'applicationName'
>;

/** The sources in their order. @throws LdapError LDAP_CA_UNREADABLE, DatabaseError DATABASE_REFUSED */
export function openAttributeSources(
  settings: SourceHolder,
  accounts: AccountStore,
): Promise<readonly AttributeSource[]> {
  const names = settings.principals.attributesFrom;
  return Promise.all(names.map((name) => openSource(name, settings, accounts)));
}

async function openSource(
  name: string,
  { directories, sqlSources, applicationName }: SourceHolder,
  accounts: AccountStore,
): Promise<AttributeSource> {
  if (name === 'accounts') {
    const attributesOf: AttributeSource['attributesOf'] = async (id) =>
      (await accounts.find(id))?.attributes;
    return { name, handlers: [name], attributesOf };
  }
  // Loaded on demand: most deployments have neither.
  const query = sqlSources.find(({ handler }) => handler === name);
  if (query !== undefined) {
    const { SqlAttributes } = await import('./sql-attributes.js');
    return SqlAttributes.open(query, applicationName);
  }
  const { LdapAttributes } = await import('./ldap-attributes.js');
  const named = name === 'ldap' ? directories : directories.filter((each) => each.handler === name);
  return LdapAttributes.open(name, named);
}
