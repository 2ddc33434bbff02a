// Express middleware: an id for the log lines of each request, its client address, and a line at level debug.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomId } from '@tessera/crypto';
import { type Caller, loggerFor, type RequestOrigin, withRequest } from '@tessera/logging';
import { isKnownNetwork, networkOf } from '@tessera/runtime';
import type { ClientAddresses } from '../addresses/client-addresses.js';
import { decodedPathOf, requestHandling } from './request-events.js';

const log = loggerFor('http');

/** Starts the ids of this process's requests. */
const PROCESS_ID = randomId(10);
let lastRequest = 0;

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export function requestContext(addresses: Pick<ClientAddresses, 'of'>): Middleware {
  return (request, response, next) => {
    withRequest(new HttpRequestOrigin(request, addresses), () => {
      if (log.isEnabled('debug')) logWhenAnswered(request, response);
      requestHandling.run(request, next);
    });
  };
}

class HttpRequestOrigin implements RequestOrigin {
  private createdId: string | undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly addresses: Pick<ClientAddresses, 'of'>,
  ) {}

  get id(): string {
    return (this.createdId ??= `${PROCESS_ID}-${++lastRequest}`);
  }

  get clientAddress(): string {
    return this.addresses.of(this.request);
  }

  get caller(): Caller {
    const { socket } = this.request;
    const network = networkOf(this.clientAddress);
    return { network, isKnown: isKnownNetwork(network), isGone: () => !socket.writable };
  }
}

function logWhenAnswered(request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now();
  const { method, url } = request;
  response.once('close', () => {
    const milliseconds = Math.round(performance.now() - started);
    const path = decodedPathOf(url);
    log.debug({ method, path, status: response.statusCode, milliseconds }, 'request');
  });
}
