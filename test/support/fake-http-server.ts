// A fake HTTP server that stands for Vault, a config server or a git host, for answers that no real one gives.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers one request, or leaves it unanswered. */
export type Handler = (response: ServerResponse, request: IncomingMessage) => void;

/** Sends a complete response. @param body an object is sent as JSON, a string as it is */
export function reply(status: number, body: object | string, headers = {}): Handler {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (response) => response.writeHead(status, headers).end(text);
}

export class FakeHttpServer {
  /** Requests received since the last `respondWith`, oldest first. */
  readonly requests: IncomingMessage[] = [];
  private handlers: Handler[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      this.requests.push(request);
      const [next] = this.handlers;
      if (this.handlers.length > 1) this.handlers.shift();
      next?.(response, request);
    });
  }

  static async start(): Promise<FakeHttpServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeHttpServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets the handlers of the next requests, in order. The last one answers all further requests. */
  respondWith(...handlers: readonly Handler[]): void {
    this.handlers = [...handlers];
    this.requests.length = 0;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
