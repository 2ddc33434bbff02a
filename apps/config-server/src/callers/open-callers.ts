// The callers of a deployment: the clients that its settings name or, without any, the programs of this machine.
import { PasswordHashing } from '@tessera/crypto';
import { currentCaller, loggerFor } from '@tessera/logging';
import type { ClientAddresses } from '@tessera/server';
import { AuthenticationThrottle, type FailureStore } from '@tessera/throttling';
import type { ConfigServerSettings } from '../settings.js';
import type { Callers } from './callers.js';
import { KnownCallers } from './known-callers.js';
import { LocalCallers } from './local-callers.js';

const log = loggerFor('callers');
const ENTRY_POINT = 'config-server';

/** @param isFirst whether no application of this process has started before: only this one may find no clients */
export function openCallers(
  { clients: { clients, throttlePolicy } }: ConfigServerSettings,
  addresses: ClientAddresses,
  failures: FailureStore,
  isFirst: boolean,
): Callers {
  if (clients.size === 0) {
    if (isFirst) {
      log.warn({}, 'no config-server.clients: every program of this machine may read and decrypt');
    }
    return new LocalCallers(addresses);
  }
  const throttle = new AuthenticationThrottle(failures, ENTRY_POINT, () => throttlePolicy);
  return new KnownCallers(clients, new PasswordHashing({ currentCaller }), throttle, addresses);
}
