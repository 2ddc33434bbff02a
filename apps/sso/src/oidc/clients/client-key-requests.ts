// The calls of the library: it loads the keys of a client from its `jwks_uri`, and calls nothing else.
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Configuration } from 'oidc-provider';
import { loggerFor, withoutQuery } from '@tessera/logging';
import { OutgoingError } from '../../outgoing/errors.js';
import { OutgoingClient } from '../../outgoing/outgoing-client.js';

const log = loggerFor('oidc');

const MAX_ADDRESSES = 1_000;
/** Anybody can send a request that needs the keys of a client: a call that failed is not repeated so long. */
const FAILURE_MS = 5_000;

@Injectable()
export class ClientKeyRequests {
  /** Under way, or failed of late, by address. */
  private readonly calls = new LRUCache<string, Promise<string>>({
    max: MAX_ADDRESSES,
    ttl: FAILURE_MS,
  });

  constructor(private readonly outgoing: OutgoingClient) {}

  /**
   * As `fetch`, for a GET request to an allowed address. Logs a failure, because the client only gets an error about its signature.
   *
   * @throws OutgoingError, SyntaxError; for some seconds the same one, without a call
   */
  readonly fetch: NonNullable<Configuration['fetch']> = async (url, { method, signal } = {}) => {
    const address = url instanceof Request ? url.url : url.toString();
    if (method !== 'GET' || !signal) throw new TypeError(`unexpected ${method} request`);
    const known = this.calls.get(address);
    if (known !== undefined) return new Response(await known);
    const call = this.load(address, signal);
    this.calls.set(address, call);
    const text = await call;
    this.calls.delete(address);
    return new Response(text);
  };

  private async load(address: string, signal: AbortSignal): Promise<string> {
    try {
      const text = await this.outgoing.getText(address, signal);
      JSON.parse(text);
      return text;
    } catch (error) {
      if (error instanceof OutgoingError) {
        const { code: reason, cause } = error;
        log.warn({ url: withoutQuery(address), reason, err: cause }, 'keys of a client not loaded');
      }
      throw error;
    }
  }
}
