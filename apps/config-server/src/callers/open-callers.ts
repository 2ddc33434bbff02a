// The callers of a deployment: the clients that its settings name or, without any, the programs of this machine.
import { PasswordHashing } from '@tessera/crypto';
import { currentCaller, loggerFor } from '@tessera/logging';
import type { ClientAddresses } from '@tessera/server';
import { AuthenticationThrottle, MemoryFailureStore } from '@tessera/throttling';
import type { ConfigServerSettings } from '../settings.js';
import type { Callers } from './callers.js';
import { KnownCallers } from './known-callers.js';
import { LocalCallers } from './local-callers.js';

const log = loggerFor('callers');
const ENTRY_POINT = 'config-server';

/** The counts of failed logins of this process. They outlive a reload. */
const failures = new MemoryFailureStore();

export function openCallers(
  { clients: { clients, throttlePolicy } }: ConfigServerSettings,
  addresses: ClientAddresses,
): Callers {
  if (clients.size === 0) {
    log.warn({}, 'no config-server.clients: every program of this machine may read and decrypt');
    return new LocalCallers(addresses);
  }
  const throttle = new AuthenticationThrottle(failures, ENTRY_POINT, () => throttlePolicy);
  return new KnownCallers(clients, new PasswordHashing({ currentCaller }), throttle, addresses);
}
