import type { IncomingMessage } from 'node:http';
import { reasonNotLocal } from '@tessera/server';
import { CallerError } from './caller-error.js';
import type { Callers } from './callers.js';

/** Admits programs of this machine, where no client is configured. */
export class LocalCallers implements Callers {
  admit(request: IncomingMessage): Promise<string> {
    const reason = reasonNotLocal(request);
    if (reason === undefined) return Promise.resolve(request.socket.remoteAddress ?? '');
    const message = `no client is configured, so only programs of this machine are answered: ${reason}; name the clients in config-server.clients`;
    return Promise.reject(new CallerError('CALLER_NOT_ALLOWED', message));
  }
}
