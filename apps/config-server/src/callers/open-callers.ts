// Owns which callers a deployment has: the clients it names or, where it names none, this machine's programs; and that
// they are others as soon as the settings are.
import { PasswordHashing } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import { ClientAddresses } from '@tessera/server';
import type { LiveSettings } from '@tessera/settings';
import { AuthenticationThrottle, MemoryFailureStore } from '@tessera/throttling';
import type { ConfigServerSettings } from '../settings.js';
import type { Callers } from './callers.js';
import { KnownCallers } from './known-callers.js';
import { LocalCallers } from './local-callers.js';

const log = loggerFor('callers');
const ENTRANCE = 'config-server';

/** Failures that were counted are so whatever becomes of the clients. */
export async function openCallers(live: LiveSettings<ConfigServerSettings>): Promise<Callers> {
  const policy = () => live.current.clients.throttlePolicy;
  const throttle = new AuthenticationThrottle(new MemoryFailureStore(), ENTRANCE, policy);
  const hashing = new PasswordHashing();
  const callers = await live.derive({
    of: ({ clients, proxies }) => ({ written: clients.written, proxies }),
    make: (_, settings) => callersOf(settings, hashing, throttle),
  });
  return {
    admit: (request, permission, scope) => callers.value.admit(request, permission, scope),
  };
}

function callersOf(
  settings: ConfigServerSettings,
  hashing: PasswordHashing,
  throttle: AuthenticationThrottle,
): Callers {
  const { clients } = settings.clients;
  if (clients.size === 0) {
    log.warn({}, 'no config-server.clients: every program of this machine may read and decrypt');
    return new LocalCallers();
  }
  const forwarding = settings.proxies.forwarding();
  const addresses = new ClientAddresses(() => forwarding);
  return new KnownCallers(clients, hashing, throttle, addresses);
}
