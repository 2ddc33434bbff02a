// Proxy tickets: the answers of /proxy byte for byte, and the validation of what it grants.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reply } from '../support/fake-http-server.js';
import { http } from '../support/http.js';
import { BACKEND, PORTAL, proxyFailure, ProxyingSso } from '../support/proxying-sso.js';
import type { Sso } from '../support/sso.js';
import { envelope, validate, withDate } from '../support/validation.js';

const REFUSED = 400;
const MALFORMED_TEXT = 'pgt and targetService parameters are both required';
const UNKNOWN_TEXT = 'The proxy-granting ticket is not recognized';

let proxying: ProxyingSso;
let sso: Sso;

beforeAll(async () => {
  proxying = await ProxyingSso.start();
  ({ sso } = proxying);
});
beforeEach(() => proxying.callbacks.respondWith(reply(200, '')));
afterAll(() => proxying.close());

describe('/proxy', () => {
  test('grants a ticket that the proxyValidate endpoints alone take, once', async () => {
    const pgt = await proxying.portalPgt();
    const { status, headers, body } = await proxying.proxy({ pgt, targetService: BACKEND });
    const [ticket = ''] = /PT-[A-Za-z0-9-]+/.exec(body) ?? [];
    expect(ticket.length).toBeLessThanOrEqual(32);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/xml;charset=UTF-8',
      'no-store',
    ]);
    expect(body).toBe(
      envelope(`    <cas:proxySuccess>
        <cas:proxyTicket>${ticket}</cas:proxyTicket>
    </cas:proxySuccess>`),
    );
    const parameters = { service: BACKEND, ticket };
    const first = await validate(sso, '/p3/proxyValidate', parameters);
    expect(first.status).toBe(200);
    expect(withDate(first.body)).toContain(`<cas:isFromNewLogin>false</cas:isFromNewLogin>`);
    expect(first.body).toContain(`        </cas:attributes>
        <cas:proxies>
            <cas:proxy>${proxying.callbacks.url}/portal</cas:proxy>
        </cas:proxies>
    </cas:authenticationSuccess>
`);
    expect((await validate(sso, '/p3/proxyValidate', parameters)).status).toBe(REFUSED);
  });

  test.each(['/serviceValidate', '/p3/serviceValidate', '/validate'])(
    'grants a ticket that %s refuses',
    async (path) => {
      const ticket = await proxying.proxyTicket(await proxying.portalPgt());
      expect((await validate(sso, path, { service: BACKEND, ticket })).status).toBe(REFUSED);
    },
  );

  test.each([
    ['is disabled', 'enabled = false'],
    ['may not proxy any more', `proxy_policy = '{"kind":"refuse"}'`],
    ['may proxy to other URLs only', `proxy_policy = '{"kind":"pattern","pattern":"^https://x/"}'`],
    ['is for other users now', `required_attributes = '{"memberOf":["board"]}'`],
  ])('grants nothing while the service of the PGT %s', async (_, change) => {
    const pgt = await proxying.portalPgt();
    const { dataSource } = sso.database;
    const where = "where name = 'portal'";
    const [before] = await dataSource.query<object[]>(`select * from registered_service ${where}`);
    await dataSource.query(`update registered_service set ${change} ${where}`);
    await sso.refreshServices();
    const request = { pgt, targetService: BACKEND };
    expect((await proxying.proxy(request)).body).toBe(proxyFailure('INVALID_TICKET', UNKNOWN_TEXT));
    for (const [column, value] of Object.entries(before ?? {})) {
      if (!['enabled', 'proxy_policy', 'required_attributes'].includes(column)) continue;
      await dataSource.query(`update registered_service set ${column} = $1 ${where}`, [value]);
    }
    await sso.refreshServices();
    expect((await proxying.proxy(request)).body).toContain('proxySuccess');
  });

  test('builds chains, whose proxies are listed newest first', async () => {
    let pgt = await proxying.portalPgt();
    const hops = ['/backend-1', '/backend-2', '/backend-3', '/backend-4'];
    for (const hop of hops) {
      pgt = await proxying.pgtFor(BACKEND, await proxying.proxyTicket(pgt), hop);
    }
    const ticket = await proxying.proxyTicket(pgt);
    const { body } = await validate(sso, '/proxyValidate', { service: BACKEND, ticket });
    const listed = [...body.matchAll(/<cas:proxy>(.*)<\/cas:proxy>/g)].map(([, url]) => url);
    expect(listed).toEqual(
      [...hops.toReversed(), '/portal'].map((path) => proxying.callbacks.url + path),
    );
  });

  test('builds chains of ten proxies, of which each holds its own URL, and no longer ones', async () => {
    let pgt = await proxying.portalPgt();
    const hops = Array.from({ length: 9 }, (_, index) => `/backend-long-${index}`);
    for (const hop of hops) {
      pgt = await proxying.pgtFor(BACKEND, await proxying.proxyTicket(pgt), hop);
    }
    const rows = await sso.database.dataSource.query<object[]>(
      `select callback_url, proxies from ticket_granting_ticket where callback_url like '%-long-_' order by callback_url`,
    );
    expect(rows).toEqual(
      hops.map((hop) => ({ callback_url: proxying.callbacks.url + hop, proxies: null })),
    );
    const [calls, ticket] = [proxying.calls.length, await proxying.proxyTicket(pgt)];
    const pgtUrl = `${proxying.callbacks.url}/backend-10`;
    const request = { service: BACKEND, ticket, pgtUrl };
    const { status, body } = await validate(sso, '/proxyValidate', request);
    expect([status, body]).toEqual([
      REFUSED,
      envelope(
        `    <cas:authenticationFailure code="UNAUTHORIZED_SERVICE_PROXY">The supplied service '${BACKEND}' is not authorized to use CAS proxy authentication.</cas:authenticationFailure>`,
      ),
    ]);
    expect(proxying.calls).toHaveLength(calls);
    await sso.reconfigure({ 'sso.tickets.pgt.max-depth': 11 });
    const next = await proxying.pgtFor(BACKEND, await proxying.proxyTicket(pgt), '/backend-last');
    const last = { service: BACKEND, ticket: await proxying.proxyTicket(next) };
    const { body: listed } = await validate(sso, '/proxyValidate', last);
    expect(listed.match(/<cas:proxy>/g)).toHaveLength(11);
  });

  test('lists the chain of a ticket that a node of an earlier version created', async () => {
    const first = await proxying.portalPgt();
    const pgt = await proxying.pgtFor(BACKEND, await proxying.proxyTicket(first), '/backend-old');
    const urls = ['/backend-old', '/portal'].map((path) => proxying.callbacks.url + path);
    await sso.database.dataSource.query(
      `update ticket_granting_ticket set callback_url = null, proxies = $1
       where callback_url = $2 returning 1`,
      [urls, urls[0]],
    );
    const ticket = await proxying.proxyTicket(pgt);
    const { body } = await validate(sso, '/proxyValidate', { service: BACKEND, ticket });
    const proxies = urls.map((url) => `            <cas:proxy>${url}</cas:proxy>\n`).join('');
    expect(body).toContain(`<cas:proxies>\n${proxies}        </cas:proxies>`);
  });

  test('grants nothing after the session has ended', async () => {
    const tgt = await sso.login();
    const pgt = await proxying.pgtFor(PORTAL, await sso.grant(tgt, PORTAL));
    const ticket = await proxying.proxyTicket(pgt);
    await http('DELETE', sso.url, `/v1/tickets/${tgt}`);
    expect((await proxying.proxy({ pgt, targetService: BACKEND })).body).toBe(
      proxyFailure('INVALID_TICKET', UNKNOWN_TEXT),
    );
    const answer = await validate(sso, '/proxyValidate', { service: BACKEND, ticket });
    expect(answer.status).toBe(REFUSED);
  });

  test.each([
    ['no parameter', '', MALFORMED_TEXT],
    ['no pgt', '?targetService=https://backend.example.org/api', MALFORMED_TEXT],
    ['an empty pgt', '?pgt=&targetService=https://backend.example.org/api', MALFORMED_TEXT],
    ['no targetService', '?pgt=PGT-1', MALFORMED_TEXT],
    ['an empty targetService', '?pgt=PGT-1&targetService=', MALFORMED_TEXT],
    ['two of one', '?pgt=PGT-1&pgt=PGT-2&targetService=x', 'pgt is given more than once'],
    ['a line break', '?pgt=PGT-1%0A&targetService=x', 'pgt contains control characters'],
    ['bytes that are no UTF-8', '?pgt=%ff&targetService=x', expect.stringMatching(/./)],
  ])('refuses a request with %s', async (_, parameters, text) => {
    const { status, body } = await http('GET', sso.url, `/proxy${parameters}`);
    expect(status).toBe(200);
    expect(/code="INVALID_REQUEST">(.*)<\/cas:proxyFailure>/.exec(body)?.[1]).toEqual(text);
  });

  test.each<[string, () => string | Promise<string>]>([
    ['unknown', () => `PGT-${'x'.repeat(43)}`],
    ['no ticket', () => '<script>'],
    ['a TGT', () => sso.login()],
    ['an ST', () => proxying.ticketFor(PORTAL)],
    ['a PT', async () => proxying.proxyTicket(await proxying.portalPgt())],
    ['a PGTIOU', async () => (await proxying.portalPgt()) && proxying.delivered().pgtIou],
  ])('refuses a pgt that is %s, whatever the service', async (_, pgtOf) => {
    const pgt = await pgtOf();
    for (const targetService of [BACKEND, 'https://nowhere.example.org/']) {
      const { status, body } = await proxying.proxy({ pgt, targetService });
      expect([status, body]).toEqual([200, proxyFailure('INVALID_TICKET', UNKNOWN_TEXT)]);
    }
  });

  test.each([
    [
      'unregistered',
      'https://nowhere.example.org/?a=<b>&c',
      'https://nowhere.example.org/?a=&lt;b&gt;&amp;c',
    ],
    ['disabled', 'https://disabled.example.org/', 'https://disabled.example.org/'],
    ['without single sign-on', 'https://nosso.example.org/', 'https://nosso.example.org/'],
    ['not for this user', 'https://board.example.org/', 'https://board.example.org/'],
  ])('refuses a service that is %s', async (_, targetService, escaped) => {
    const { status, body } = await proxying.proxy({
      pgt: await proxying.portalPgt(),
      targetService,
    });
    const text = `Service '${escaped}' is not authorized to use this server`;
    expect([status, body]).toEqual([200, proxyFailure('UNAUTHORIZED_SERVICE', text)]);
  });

  test.each(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])('is not %s', async (method) => {
    const answer = await http(method, sso.url, `/proxy?pgt=x&targetService=${BACKEND}`);
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET']);
  });

  test('answers 503 while the database is unavailable', async () => {
    const pgt = await proxying.portalPgt();
    await sso.databaseProxy.set('refuse');
    const { status, headers, body } = await proxying.proxy({ pgt, targetService: BACKEND });
    await sso.databaseProxy.set('open');
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect(body).toBe(proxyFailure('INTERNAL_ERROR', 'The service is temporarily unavailable'));
  });
});

test('a PGT buys no service ticket over REST', async () => {
  const pgt = await proxying.portalPgt();
  const form = { service: BACKEND };
  expect(await http('POST', sso.url, `/v1/tickets/${pgt}`, { form })).toMatchObject({
    status: 404,
    body: 'TicketGrantingTicket could not be found',
  });
});
