// A listening socket, which outlives the applications that it serves one after the other.
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { limitConnections } from './connections.js';
import type { Expiring } from '../tls/expiry-watch.js';
import { oneAtATime } from './pipelining.js';
import { HttpsListener } from '../tls/https-listener.js';
import type { TlsOptions } from '../tls/tls-settings.js';

/** Slow requests are aborted; the keep-alive timeout is longer than that of usual load balancers. */
const LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  // The default of 30 s would extend the timeouts by as much.
  connectionsCheckingInterval: 2_000,
};

export class Listener {
  readonly server: Server | HttpsServer;
  private handle: RequestListener = (_request, response) => void response.writeHead(503).end();

  private constructor(private readonly https?: HttpsListener) {
    const listener = oneAtATime((request, response) => this.handle(request, response));
    this.server = https?.createServer(LIMITS, listener) ?? createServer(LIMITS, listener);
    limitConnections(this.server);
    // Node would answer an unknown Expect itself, and keep the connection.
    this.server.on('checkExpectation', listener);
  }

  /**
   * Makes the socket without listening.
   *
   * @param tls HTTPS instead of HTTP
   * @throws ServerError TLS_FILE_UNUSABLE with the setting and the file
   */
  static async create(tls?: TlsOptions): Promise<Listener> {
    return new Listener(tls && (await HttpsListener.open(tls)));
  }

  /** Gives all later requests to a handler, also those on open connections. */
  serve(handle: RequestListener): void {
    this.handle = handle;
  }

  /** The current certificates of the server; empty for HTTP. */
  get expiring(): readonly Expiring[] {
    return this.https?.expiring ?? [];
  }
}
