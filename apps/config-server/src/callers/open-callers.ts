// The callers of a deployment: the clients that its settings name or, without any, the programs of this machine.
import { PasswordHashing } from '@tessera/crypto';
import { currentCaller, loggerFor } from '@tessera/logging';
import type { ClientAddresses } from '@tessera/server';
import type { LiveSettings } from '@tessera/config';
import { AuthenticationThrottle, MemoryFailureStore } from '@tessera/throttling';
import type { ConfigServerSettings } from '../settings.js';
import type { Callers } from './callers.js';
import { KnownCallers } from './known-callers.js';
import { LocalCallers } from './local-callers.js';

const log = loggerFor('callers');
const ENTRY_POINT = 'config-server';

/** The callers by the current settings. The counts of failed logins outlive a reload. */
export async function openCallers(
  live: LiveSettings<ConfigServerSettings>,
  addresses: ClientAddresses,
): Promise<Callers> {
  const policy = () => live.current.clients.throttlePolicy;
  const throttle = new AuthenticationThrottle(new MemoryFailureStore(), ENTRY_POINT, policy);
  const hashing = new PasswordHashing({ currentCaller });
  const callers = await live.derive<object, Callers>({
    of: ({ clients }) => clients.written,
    make: (_, { clients: { clients } }) => {
      if (clients.size > 0) return new KnownCallers(clients, hashing, throttle, addresses);
      log.warn({}, 'no config-server.clients: every program of this machine may read and decrypt');
      return new LocalCallers(addresses);
    },
  });
  return {
    admit: (request, permission, scope) => callers.value.admit(request, permission, scope),
  };
}
