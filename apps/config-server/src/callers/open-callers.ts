// Owns which callers a deployment has: the clients it names or, where it names none, this machine's programs.
import { PasswordHashing } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import type { ClientAddresses } from '@tessera/server';
import { AuthenticationThrottle, MemoryFailures, type ThrottlePolicy } from '@tessera/throttling';
import type { Callers } from './callers.js';
import type { Client } from './client.js';
import { KnownCallers } from './known-callers.js';
import { LocalCallers } from './local-callers.js';

const log = loggerFor('callers');
const ENTRANCE = 'config-server';

export function openCallers(
  clients: ReadonlyMap<string, Client>,
  policy: ThrottlePolicy,
  addresses: ClientAddresses,
): Callers {
  if (clients.size === 0) {
    log.warn({}, 'no config-server.clients: every program of this machine may read and decrypt');
    return new LocalCallers();
  }
  const throttle = new AuthenticationThrottle(new MemoryFailures(), ENTRANCE, policy);
  return new KnownCallers(clients, new PasswordHashing(), throttle, addresses);
}
