// The applications of the load: they receive logout messages and the proxy-granting tickets of their callbacks.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sessionIndexIn } from '../support/logout-receiver.js';
import type { Recorder } from './record.js';

export class Applications {
  /** PGTs by PGTIOU. */
  private readonly grantingTickets = new Map<string, string>();

  private constructor(
    private readonly server: Server,
    private readonly host: string,
    private readonly recorder: Recorder,
  ) {
    server.on('request', (request, response) => {
      void this.receive(request).then(() => response.writeHead(200).end());
    });
  }

  /** @param host address that the nodes reach */
  static async start(host: string, recorder: Recorder): Promise<Applications> {
    const server = createServer().listen(0, host);
    await once(server, 'listening');
    return new Applications(server, host, recorder);
  }

  get url(): string {
    return `http://${this.host}:${(this.server.address() as AddressInfo).port}`;
  }

  get callback(): string {
    return `${this.url}/callback`;
  }

  /** The PGT that came with a PGTIOU, once. */
  takeGrantingTicket(iou: string): string | undefined {
    const ticket = this.grantingTickets.get(iou);
    this.grantingTickets.delete(iou);
    return ticket;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async receive(request: IncomingMessage): Promise<void> {
    const { searchParams } = new URL(request.url ?? '', this.url);
    const [iou, pgt] = [searchParams.get('pgtIou'), searchParams.get('pgtId')];
    if (iou !== null && pgt !== null) this.grantingTickets.set(iou, pgt);
    const form = new URLSearchParams(await text(request));
    const ticket = sessionIndexIn(form.get('logoutRequest') ?? '');
    if (ticket === undefined) return;
    this.recorder.messages.push({
      ticket: this.recorder.nameOf(ticket),
      at: performance.now(),
    });
  }
}
