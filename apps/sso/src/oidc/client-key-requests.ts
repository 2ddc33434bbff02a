// The calls of the library: it loads the keys of a client from its `jwks_uri`, and calls nothing else.
import { Injectable } from '@nestjs/common';
import type { Configuration } from 'oidc-provider';
import { loggerFor, withoutQuery } from '@tessera/logging';
import { OutgoingError } from '../outgoing/errors.js';
import { OutgoingClient } from '../outgoing/outgoing-client.js';

const log = loggerFor('oidc');

@Injectable()
export class ClientKeyRequests {
  constructor(private readonly outgoing: OutgoingClient) {}

  /**
   * As `fetch`, for a GET request to an allowed address. Logs a failure: the client is told of a bad signature.
   *
   * @throws OutgoingError
   */
  readonly fetch: NonNullable<Configuration['fetch']> = async (url, { method, signal } = {}) => {
    const address = url instanceof Request ? url.url : url.toString();
    if (method !== 'GET' || !signal) throw new TypeError(`unexpected ${method} request`);
    try {
      return new Response(await this.outgoing.getText(address, signal));
    } catch (error) {
      if (error instanceof OutgoingError) {
        const { code: reason, cause } = error;
        log.warn({ url: withoutQuery(address), reason, err: cause }, 'keys of a client not loaded');
      }
      throw error;
    }
  };
}
