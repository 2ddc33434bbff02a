// Opens the principal policy of the current settings.
import type { AccountStore } from '@tessera/accounts';
import type { LiveSettings } from '@tessera/config';
import type { LdapSettings } from '../settings/ldap-settings.js';
import type { SsoSettings } from '../settings.js';
import { PrincipalPolicy, type AttributeSource } from './principal-policy.js';

/**
 * Returns one policy for all handlers; it follows changes of the settings.
 *
 * @throws LdapError LDAP_CA_UNREADABLE
 */
export async function openPrincipalPolicy(
  live: LiveSettings<SsoSettings>,
  accounts: AccountStore,
): Promise<Pick<PrincipalPolicy, 'apply' | 'close'>> {
  const resource = await live.derive({
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
    apply: (...attempt) => resource.use((policy) => policy.apply(...attempt)),
    close: () => resource.close(),
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
  // Loaded on demand: most deployments have no directory.
  const { LdapAttributes } = await import('./ldap-attributes.js');
  return LdapAttributes.open(source.options());
}
