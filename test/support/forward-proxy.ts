// An HTTP proxy on a free port, which forwards plain requests and refuses tunnels, with an optional password.
import { once } from 'node:events';
import {
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export class ForwardProxy {
  /** Method, target, and what authorizes it: `GET http://… Basic …`. */
  readonly requests: string[] = [];
  private readonly server = createServer((request, response) => this.forward(request, response));

  /** @param authorization required header; `''` for none */
  constructor(private readonly authorization: string) {
    this.server.on('connect', (request: IncomingMessage, socket) => {
      this.note(request);
      socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
    });
  }

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private note({ method, url, headers }: IncomingMessage): void {
    this.requests.push([method, url, headers['proxy-authorization']].join(' ').trim());
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    this.note(request);
    const { method, url = '', headers } = request;
    const { 'proxy-authorization': sent, ...others } = headers;
    if (this.authorization !== '' && sent !== this.authorization) {
      response.writeHead(407, { 'Proxy-Authenticate': 'Basic realm="proxy"' }).end();
      return;
    }
    const forwarded = send(url, { method, headers: others }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  }
}
