// Makes the policy for principals of the settings in force.
import type { DataSource } from 'typeorm';
import { AccountStore } from '@tessera/accounts';
import type { LiveSettings } from '@tessera/settings';
import type { LdapSettings } from '../settings/ldap-settings.js';
import type { SsoSettings } from '../settings.js';
import type { AttributeSource } from './attribute-source.js';
import { PrincipalPolicy } from './principal-policy.js';

/**
 * The policy of the settings in force, one for all handlers.
 *
 * @throws LdapError LDAP_CA_UNREADABLE
 */
export async function openPrincipalPolicy(
  live: LiveSettings<SsoSettings>,
  dataSource: DataSource,
): Promise<Pick<PrincipalPolicy, 'apply' | 'close'>> {
  const accounts = new AccountStore(dataSource);
  const derived = await live.derive({
    of: ({ principals: { accountStatus, attributesFrom }, ldap }) => ({
      accountStatus,
      source: attributesFrom === 'ldap' ? ldap : attributesFrom,
    }),
    make: async ({ accountStatus, source }) =>
      new PrincipalPolicy(accounts, accountStatus, await openSource(source, accounts)),
    files: ({ source }) => (typeof source === 'object' ? source.files : []),
    retire: (policy) => policy.close(),
  });
  return {
    apply: (...attempt) => derived.use((policy) => policy.apply(...attempt)),
    close: () => derived.close(),
  };
}

async function openSource(
  source: LdapSettings | 'accounts' | undefined,
  accounts: AccountStore,
): Promise<AttributeSource | undefined> {
  if (source === undefined) return undefined;
  if (source === 'accounts') {
    return {
      name: 'accounts',
      attributesOf: async (id) => (await accounts.find(id))?.attributes,
    };
  }
  // Loaded at need: most deployments have no directory.
  const { LdapAttributes } = await import('./ldap-attributes.js');
  return LdapAttributes.open(source.options());
}
