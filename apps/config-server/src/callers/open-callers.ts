// The callers of a deployment: the clients that its settings name or, without any, the programs of this machine.
import { PasswordHashing } from '@tessera/crypto';
import { currentCaller, loggerFor } from '@tessera/logging';
import type { ClientAddresses, ProcessParts } from '@tessera/server';
import { AuthenticationThrottle, type FailureStore } from '@tessera/throttling';
import type { ConfigServerSettings } from '../settings/config-server-settings.js';
import type { Callers } from './callers.js';
import { KnownCallers } from './known-callers.js';
import { LocalCallers } from './local-callers.js';

const log = loggerFor('callers');
const ENTRY_POINT = 'config-server';

interface Parts extends Pick<ProcessParts, 'isFirst'> {
  readonly failedLogins: FailureStore;
}

/** Warns of missing clients once in a process. */
export function openCallers(
  { clients: { clients, throttlePolicy } }: ConfigServerSettings,
  addresses: ClientAddresses,
  { failedLogins, isFirst }: Parts,
): Callers {
  if (clients.size === 0) {
    if (isFirst) {
      log.warn({}, 'no config-server.clients: every program of this machine may read and decrypt');
    }
    return new LocalCallers(addresses);
  }
  const throttle = new AuthenticationThrottle(failedLogins, ENTRY_POINT, throttlePolicy);
  return new KnownCallers(clients, new PasswordHashing({ currentCaller }), throttle, addresses);
}
