// An SSO application whose services may proxy, and the server of their callbacks.
import { expect } from '@jest/globals';
import type { NewService } from '@tessera/services';
import { FakeHttpServer, reply } from './fake-http-server.js';
import { http, type Reply } from './http.js';
import { startSso, type Sso } from './sso.js';
import { envelope, query, validate } from './validation.js';

export const PORTAL = 'https://portal.example.org/';
export const BACKEND = 'https://backend.example.org/api';
const PROXY_POLICY: NewService['proxyPolicy'] = {
  kind: 'pattern',
  pattern: '^http://127\\.0\\.0\\.1:\\d+/(portal|backend).*',
};
const SERVICES: readonly NewService[] = [
  { serviceId: '^https://portal\\.example\\.org/.*', name: 'portal', proxyPolicy: PROXY_POLICY },
  { serviceId: '^https://backend\\.example\\.org/.*', name: 'backend', proxyPolicy: PROXY_POLICY },
  { serviceId: '^https://disabled\\.example\\.org/.*', name: 'disabled', enabled: false },
  { serviceId: '^https://nosso\\.example\\.org/.*', name: 'no sso', ssoEnabled: false },
  {
    serviceId: '^https://board\\.example\\.org/.*',
    name: 'board',
    requiredAttributes: { memberOf: ['board'] },
  },
];

export class ProxyingSso {
  private constructor(
    readonly sso: Sso,
    readonly callbacks: FakeHttpServer,
  ) {}

  static async start(): Promise<ProxyingSso> {
    const sso = await startSso({ services: SERVICES });
    const callbacks = await FakeHttpServer.start();
    callbacks.respondWith(reply(200, ''));
    return new ProxyingSso(sso, callbacks);
  }

  async close(): Promise<void> {
    await this.sso.close();
    await this.callbacks.stop();
  }

  /** Paths and queries of the calls since the last `respondWith`. */
  get calls(): readonly (string | undefined)[] {
    return this.callbacks.requests.map(({ url }) => url);
  }

  proxy(parameters: Readonly<Record<string, string>>): Promise<Reply> {
    return http('GET', this.sso.url, `/proxy${query(parameters)}`);
  }

  /** An ST of a new login. */
  async ticketFor(service: string): Promise<string> {
    return this.sso.grant(await this.sso.login(), service);
  }

  /** The PGT and PGTIOU that the last call delivered. */
  delivered(): { readonly pgt: string; readonly pgtIou: string } {
    const { searchParams } = new URL(this.calls.at(-1) ?? '', this.callbacks.url);
    return { pgt: searchParams.get('pgtId') ?? '', pgtIou: searchParams.get('pgtIou') ?? '' };
  }

  /** Validates a ticket with a callback. @returns the PGT */
  async pgtFor(service: string, ticket: string, path = '/portal'): Promise<string> {
    const pgtUrl = this.callbacks.url + path;
    const { status } = await validate(this.sso, '/proxyValidate', { service, ticket, pgtUrl });
    expect(status).toBe(200);
    return this.delivered().pgt;
  }

  async portalPgt(): Promise<string> {
    return this.pgtFor(PORTAL, await this.ticketFor(PORTAL));
  }

  /** A PT for the backend. */
  async proxyTicket(pgt: string): Promise<string> {
    const { body } = await this.proxy({ pgt, targetService: BACKEND });
    return /PT-[A-Za-z0-9-]+/.exec(body)?.[0] ?? body;
  }
}

/** @param text already escaped */
export function proxyFailure(code: string, text: string): string {
  return envelope(`    <cas:proxyFailure code="${code}">${text}</cas:proxyFailure>`);
}
