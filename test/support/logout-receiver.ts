// An application that receives logout messages. Each path behaves in its own way.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request to the application. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Behaviour = (response: ServerResponse, received: Received) => void;

export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end();

export const hang: Behaviour = () => {};

export class LogoutReceiver {
  readonly received: Received[] = [];
  private readonly behaviours = new Map<string, Behaviour>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.handle(request, response));
  }

  static async start(): Promise<LogoutReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LogoutReceiver(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets how a path answers. Others answer with 200. */
  behave(path: string, behaviour: Behaviour): void {
    this.behaviours.set(path, behaviour);
  }

  /** The messages that a path received. */
  messagesTo(path: string): readonly string[] {
    return this.received.filter((each) => each.path === path).map(({ body }) => messageIn(body));
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = '', headers } = request;
    const received = { method, path, headers, body: await text(request) };
    this.received.push(received);
    (this.behaviours.get(path) ?? answer(200))(response, received);
  }
}

/** The XML in the field `logoutRequest` of a form. */
function messageIn(body: string): string {
  return new URLSearchParams(body).get('logoutRequest') ?? body;
}

/** The ticket that a message names. */
export function sessionIndexIn(message: string): string | undefined {
  return /<samlp:SessionIndex>([^<]*)</.exec(message)?.[1];
}
