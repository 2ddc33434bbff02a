// Stands for an old CAS server at /cas: its login, validation and logout, with the answers recorded from Apereo CAS 5.1.2. It
// checks no password, and can let another CAS server sign its users in.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface OldRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly cookie: string;
  readonly form: URLSearchParams;
}

const FORM = `<!DOCTYPE html><html><body><form method="post" id="fm1">
<input type="text" name="username"/><input type="password" name="password"/>
<input type="hidden" name="execution" value="e1s1"/></form></body></html>`;
const COOKIE = 'TGC=eyJhbGciOiJIUzUxMiJ9';
const REFUSAL = 'INVALID_TICKET';

export class OldCasServer {
  readonly requests: OldRequest[] = [];
  /** Another CAS server that signs users in, with the URL at which this one gets its tickets. */
  delegation: { readonly server: string; readonly callback: string } | undefined;
  /** Whether it breaks connections in place of answers to validations. */
  isBroken = false;
  /** The services of valid tickets. */
  private readonly tickets = new Map<string, string>();
  private readonly sessions = new Set<string>();
  /** The application that waits for the other server. */
  private waiting = '';

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(): Promise<OldCasServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OldCasServer(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const form = new URLSearchParams(await text(request));
    const { method = '', headers } = request;
    const received = {
      method,
      path: pathname,
      query: searchParams,
      cookie: headers.cookie ?? '',
      form,
    };
    this.requests.push(received);
    if (pathname === '/cas/login') await this.login(received, response);
    else if (pathname === '/cas/logout') this.logout(received.cookie, response);
    else if (this.isBroken) response.destroy();
    else this.validate(searchParams, response);
  }

  private async login(
    { method, query, cookie, form }: OldRequest,
    response: ServerResponse,
  ): Promise<void> {
    const service = query.get('service') ?? '';
    if (form.has('logoutRequest')) {
      this.sessions.clear();
      response.end();
    } else if (this.sessions.has(cookie)) {
      this.grant(service, response);
    } else if (method === 'POST') {
      this.signIn(service, response);
    } else if (this.delegation === undefined) {
      response.setHeader('Content-Type', 'text/html').end(FORM);
    } else {
      await this.delegate(this.delegation, query, response);
    }
  }

  private async delegate(
    { server, callback }: { server: string; callback: string },
    query: URLSearchParams,
    response: ServerResponse,
  ): Promise<void> {
    const ticket = query.get('ticket');
    const parameters = new URLSearchParams({
      service: callback,
      ...(ticket !== null && { ticket }),
    });
    if (ticket === null) {
      this.waiting = query.get('service') ?? '';
      response.writeHead(302, { Location: `${server}/login?${parameters}` }).end();
      return;
    }
    const answer = await fetch(`${server}/p3/serviceValidate?${parameters}`);
    if ((await answer.text()).includes('<cas:authenticationSuccess>')) {
      this.signIn(this.waiting, response);
    } else response.writeHead(401).end();
  }

  private signIn(service: string, response: ServerResponse): void {
    const cookie = `${COOKIE}.${randomBytes(8).toString('hex')}`;
    this.sessions.add(cookie);
    response.setHeader('Set-Cookie', `${cookie}; Path=/cas/; HttpOnly`);
    this.grant(service, response);
  }

  private grant(service: string, response: ServerResponse): void {
    const ticket = `ST-${this.tickets.size + 136}-${randomBytes(10).toString('hex')}-refcas`;
    this.tickets.set(ticket, service);
    const separator = service.includes('?') ? '&' : '?';
    response.writeHead(302, { Location: `${service}${separator}ticket=${ticket}` }).end();
  }

  private validate(query: URLSearchParams, response: ServerResponse): void {
    const ticket = query.get('ticket') ?? '';
    const isValid = this.tickets.get(ticket) === query.get('service');
    if (isValid) this.tickets.set(ticket, REFUSAL);
    const outcome = isValid
      ? '<cas:authenticationSuccess>\n        <cas:user>casuser</cas:user>\n    </cas:authenticationSuccess>'
      : `<cas:authenticationFailure code="${REFUSAL}">Ticket &#39;${ticket}&#39; not recognized</cas:authenticationFailure>`;
    response.setHeader('Content-Type', 'text/html;charset=UTF-8');
    response.end(
      `<cas:serviceResponse xmlns:cas='http://www.yale.edu/tp/cas'>\n    ${outcome}\n</cas:serviceResponse>\n`,
    );
  }

  private logout(cookie: string, response: ServerResponse): void {
    this.sessions.delete(cookie);
    const ended = 'TGC=; Max-Age=0; Expires=Thu, 01-Jan-1970 00:00:10 GMT; Path=/cas/; HttpOnly';
    response.setHeader('Set-Cookie', ended).end('Logout successful');
  }
}
