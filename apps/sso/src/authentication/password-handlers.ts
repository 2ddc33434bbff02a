// Creates the password handlers from the settings.
import { availableParallelism } from 'node:os';
import type { AccountStore } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import type { LiveSettings } from '@tessera/config';
import { currentCaller } from '@tessera/logging';
import type { LdapSettings } from '../settings/ldap-settings.js';
import type { SsoSettings } from '../settings.js';
import { AccountsHandler } from './accounts-handler.js';
import type { AuthenticationHandler } from './authentication-handler.js';
import { ReloadableHandler } from './reloadable-handler.js';
import type { HandlerName } from './handler-names.js';
import { StaticHandler } from './static-handler.js';

/**
 * Opens the configured handlers in their order. Each is replaced when its settings change.
 *
 * @throws LdapError LDAP_CA_UNREADABLE
 */
export function openPasswordHandlers(
  live: LiveSettings<SsoSettings>,
  accounts: AccountStore,
): Promise<AuthenticationHandler[]> {
  return Promise.all(live.current.handlerNames.map((name) => open(name, live, accounts)));
}

function open(
  name: HandlerName,
  live: LiveSettings<SsoSettings>,
  accounts: AccountStore,
): Promise<AuthenticationHandler> {
  switch (name) {
    case 'static':
      return ReloadableHandler.open(live, {
        of: ({ demoUsers }) => demoUsers,
        make: (users) => new StaticHandler(users),
      });
    case 'accounts':
      return ReloadableHandler.open(live, {
        of: (settings) => settings.hashing(availableParallelism()),
        make: (options) =>
          new AccountsHandler(accounts, new PasswordHashing({ ...options, currentCaller })),
      });
    case 'ldap':
      return ReloadableHandler.open(live, {
        of: ({ ldap }) => ldap,
        make: openLdapHandler,
        files: ({ files }) => files,
      });
  }
}

/** Loaded on demand: most deployments have no directory. */
async function openLdapHandler(settings: LdapSettings): Promise<AuthenticationHandler> {
  const { LdapHandler } = await import('./ldap-handler.js');
  return LdapHandler.open(settings.options());
}
