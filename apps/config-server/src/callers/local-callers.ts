import type { IncomingMessage } from 'node:http';
import { reasonNotLocal, type ClientAddresses } from '@tessera/server';
import { CallerError } from './caller-error.js';
import type { Caller, Callers } from './callers.js';

/** Admits programs of this machine, where no client is configured. */
export class LocalCallers implements Callers {
  constructor(private readonly addresses: Pick<ClientAddresses, 'peer'>) {}

  admit(request: IncomingMessage): Promise<Caller> {
    const reason = reasonNotLocal(request);
    if (reason === undefined) {
      return Promise.resolve({ name: undefined, address: this.addresses.peer(request) });
    }
    const message = `no client is configured, so only programs of this machine are answered: ${reason}; name the clients in config-server.clients`;
    return Promise.reject(new CallerError('CALLER_NOT_ALLOWED', message));
  }
}
