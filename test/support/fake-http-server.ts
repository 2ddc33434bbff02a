// Speaks HTTP in place of Vault, for what a sound one never says.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is said to one request. */
export type Responder = (response: ServerResponse, request: IncomingMessage) => void;

/** A whole answer. @param body as JSON, or as it is to be sent */
export function reply(status: number, body: object | string, headers = {}): Responder {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (response) => response.writeHead(status, headers).end(text);
}

export class FakeHttpServer {
  /** What it was asked, the oldest first. */
  readonly requests: IncomingMessage[] = [];
  private responders: Responder[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      this.requests.push(request);
      const [next] = this.responders;
      if (this.responders.length > 1) this.responders.shift();
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

  /** From now on these, and the last one again and again. */
  respondWith(...replies: readonly Responder[]): void {
    this.responders = [...replies];
    this.requests.length = 0;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
