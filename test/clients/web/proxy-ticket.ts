// Gets proxy tickets, as an application does that calls others in the name of its user.
import { FakeHttpServer, reply } from '../../support/fake-http-server.js';
import { http } from '../../support/http.js';
import type { RunningService } from '../running-service.js';

/** A proxy ticket of a new login, for a service. */
export async function proxyTicketFor(
  server: RunningService,
  targetService: string,
): Promise<string> {
  const proxy = await FakeHttpServer.start();
  proxy.respondWith(reply(200, ''));
  try {
    const service = `${proxy.url}/`;
    const ticket = await server.ticketFor(service);
    await call(server, 'serviceValidate', { service, ticket, pgtUrl: service });
    const delivered = new URL(proxy.requests.at(-1)?.url ?? '', proxy.url).searchParams;
    const pgt = delivered.get('pgtId') ?? '';
    const answer = await call(server, 'proxy', { pgt, targetService });
    const proxyTicket = /PT-[A-Za-z0-9-]+/.exec(answer)?.[0];
    if (proxyTicket === undefined) throw new Error(`no proxy ticket: ${answer}`);
    return proxyTicket;
  } finally {
    await proxy.stop();
  }
}

async function call(
  server: RunningService,
  path: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const query = new URLSearchParams(parameters).toString();
  return (await http('GET', server.url, `/${path}?${query}`)).body;
}
