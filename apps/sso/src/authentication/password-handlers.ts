// Creates the password handlers from the settings.
import { availableParallelism } from 'node:os';
import type { AccountStore } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { currentCaller } from '@tessera/logging';
import type { SsoSettings } from '../settings/sso-settings.js';
import { AccountsHandler } from './accounts-handler.js';
import type { AuthenticationHandler } from './authentication-handler.js';
import type { HandlerName } from './handler-names.js';
import { StaticHandler } from './static-handler.js';

/** The handlers of one name: `ldap` has one for each directory. @throws LdapError LDAP_CA_UNREADABLE */
export async function openPasswordHandlers(
  name: HandlerName,
  settings: SsoSettings,
  accounts: AccountStore,
): Promise<readonly AuthenticationHandler[]> {
  switch (name) {
    case 'static':
      return [new StaticHandler(settings.demoUsers)];
    case 'accounts': {
      const options = settings.hashing(availableParallelism());
      const hashing = new PasswordHashing({ ...options, currentCaller });
      const { accountsChange, history, maxAge } = settings.passwords;
      const policy = { maxAge, history: accountsChange ? history : undefined };
      return [new AccountsHandler(accounts, hashing, policy)];
    }
    case 'ldap': {
      // Loaded on demand: most deployments have no directory.
      const { LdapHandler } = await import('./ldap-handler.js');
      return Promise.all(settings.directories.map((each) => LdapHandler.open(each)));
    }
  }
}
