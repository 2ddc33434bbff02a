// Proxy-granting tickets: what the callback of a service gets, and the answers of validations with `pgtUrl`.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reply } from '../support/fake-http-server.js';
import { http } from '../support/http.js';
import { BACKEND, PORTAL, proxyFailure, ProxyingSso } from '../support/proxying-sso.js';
import { APP, type Sso } from '../support/sso.js';
import { failure, query, validate, XML_ENDPOINTS } from '../support/validation.js';

const REFUSED = 400;

let proxying: ProxyingSso;
let sso: Sso;

beforeAll(async () => {
  proxying = await ProxyingSso.start();
  ({ sso } = proxying);
});
beforeEach(() => proxying.callbacks.respondWith(reply(200, '')));
afterAll(() => proxying.close());

describe('a validation with pgtUrl', () => {
  test.each(XML_ENDPOINTS)('calls it twice and answers with the PGTIOU, at %s', async (path) => {
    const ticket = await proxying.ticketFor(PORTAL);
    const pgtUrl = `${proxying.callbacks.url}/portal`;
    const { status, body } = await validate(sso, path, { service: PORTAL, ticket, pgtUrl });
    const { pgt, pgtIou } = proxying.delivered();
    expect(pgt).toMatch(/^PGT-[A-Za-z0-9]{43}$/);
    expect(pgtIou).toMatch(/^PGTIOU-[A-Za-z0-9]{43}$/);
    expect(proxying.calls).toEqual(['/portal', `/portal?pgtId=${pgt}&pgtIou=${pgtIou}`]);
    expect(status).toBe(200);
    expect(body).toContain(`        </cas:attributes>
        <cas:proxyGrantingTicket>${pgtIou}</cas:proxyGrantingTicket>
    </cas:authenticationSuccess>
`);
    expect(body).not.toContain(pgt);
  });

  test('answers in JSON', async () => {
    const parameters = {
      service: PORTAL,
      ticket: await proxying.ticketFor(PORTAL),
      format: 'JSON',
    };
    const pgtUrl = `${proxying.callbacks.url}/portal`;
    const { body } = await validate(sso, '/p3/serviceValidate', { ...parameters, pgtUrl });
    expect(JSON.parse(body)).toMatchObject({
      serviceResponse: {
        authenticationSuccess: { proxyGrantingTicket: proxying.delivered().pgtIou },
      },
    });
  });

  test('keeps the query of the callback', async () => {
    await proxying.pgtFor(PORTAL, await proxying.ticketFor(PORTAL), '/portal?a=b+c%20d');
    const { pgt, pgtIou } = proxying.delivered();
    const second = `/portal?a=b+c%20d&pgtId=${pgt}&pgtIou=${pgtIou}`;
    expect(proxying.calls).toEqual(['/portal?a=b+c%20d', second]);
  });

  // phpCAS answers the first call with a redirect.
  test.each([200, 204, 301, 302, 303])('takes status %i for success', async (status) => {
    proxying.callbacks.respondWith(reply(status, '', { location: '/other' }));
    expect(await proxying.portalPgt()).toMatch(/^PGT-/);
    expect(proxying.calls).toHaveLength(2);
  });

  test('is unaffected by an empty one, and by any at /validate', async () => {
    const empty = { service: PORTAL, ticket: await proxying.ticketFor(PORTAL), pgtUrl: '' };
    const { body } = await validate(sso, '/serviceValidate', empty);
    expect(body).not.toContain('proxyGrantingTicket');
    const cas1 = {
      service: PORTAL,
      ticket: await proxying.ticketFor(PORTAL),
      pgtUrl: `${proxying.callbacks.url}/portal`,
    };
    expect((await validate(sso, '/validate', cas1)).body).toBe('yes\ncasuser\n');
    expect(proxying.calls).toEqual([]);
  });
});

describe('a validation with pgtUrl is refused, and spends the ticket,', () => {
  const url = (path: string): string => proxying.callbacks.url + path;
  const text = (pgtUrl: string, reason: string): string =>
    `The supplied proxy callback url '${pgtUrl}' could not be authenticated. ${reason}.`;

  test.each<[string, () => string, string, number]>([
    ['which answers 404', () => url('/portal'), 'It answered with status 404', 1],
    ['which is plain ftp', () => 'ftp://127.0.0.1:1/portal', '', 0],
    ['which is on another machine', () => 'http://10.0.0.1:80/portal', '', 0],
    ['which has a user', () => 'http://127.0.0.1:1@10.0.0.1/portal', '', 0],
    ['which the policy does not name', () => url('/other'), '', 0],
    ['which leaves the path that the policy names', () => url('/portal/../other'), '', 0],
    ['which leaves it in another spelling', () => url('/portal/%2e%2E/other'), '', 0],
    ['which leaves it with a backslash', () => url('/portal/..\\other'), '', 0],
  ])('%s', async (_, pgtUrl, reason, calls) => {
    proxying.callbacks.respondWith(reply(404, ''));
    const ticket = await proxying.ticketFor(PORTAL);
    const parameters = { service: PORTAL, ticket, pgtUrl: pgtUrl() };
    const { status, body } = await validate(sso, '/serviceValidate', parameters);
    expect(status).toBe(REFUSED);
    expect(body).toBe(
      reason === ''
        ? failure(
            'UNAUTHORIZED_SERVICE_PROXY',
            `The supplied service '${PORTAL}' is not authorized to use CAS proxy authentication.`,
          )
        : failure('INVALID_PROXY_CALLBACK', text(pgtUrl(), reason)),
    );
    expect(proxying.calls).toHaveLength(calls);
    const again = await validate(sso, '/serviceValidate', { service: PORTAL, ticket });
    expect(again.status).toBe(REFUSED);
  });

  test('for a service that may not proxy', async () => {
    const parameters = {
      service: APP,
      ticket: await proxying.ticketFor(APP),
      pgtUrl: url('/portal'),
    };
    expect((await validate(sso, '/p3/serviceValidate', parameters)).body).toBe(
      failure(
        'UNAUTHORIZED_SERVICE_PROXY',
        `The supplied service '${APP}' is not authorized to use CAS proxy authentication.`,
      ),
    );
    expect(proxying.calls).toEqual([]);
  });

  test('and leaves no PGT, where the second call fails', async () => {
    proxying.callbacks.respondWith(reply(200, ''), reply(500, ''));
    const parameters = {
      service: PORTAL,
      ticket: await proxying.ticketFor(PORTAL),
      pgtUrl: url('/portal'),
    };
    const { body } = await validate(sso, '/serviceValidate', parameters);
    expect(body).toBe(
      failure('INVALID_PROXY_CALLBACK', text(url('/portal'), 'It answered with status 500')),
    );
    const { pgt } = proxying.delivered();
    expect(pgt).toMatch(/^PGT-/);
    expect((await proxying.proxy({ pgt, targetService: BACKEND })).body).toBe(
      proxyFailure('INVALID_TICKET', 'The proxy-granting ticket is not recognized'),
    );
  });

  test('but a malformed one spends nothing', async () => {
    const ticket = await proxying.ticketFor(PORTAL);
    const path = `/serviceValidate${query({ service: PORTAL, ticket })}&pgtUrl=a&pgtUrl=b`;
    expect((await http('GET', sso.url, path)).body).toBe(
      failure('INVALID_REQUEST', 'pgtUrl is given more than once'),
    );
    const again = await validate(sso, '/serviceValidate', { service: PORTAL, ticket });
    expect(again.status).toBe(200);
  });
});

describe('the next callback uses changed settings', () => {
  const pgtUrlOf = (): string => `${proxying.callbacks.url}/portal`;

  test.each([
    ['sso.outgoing.allow-http', false, 'It is not an https URL'],
    ['sso.outgoing.allowed-addresses', ['10.0.0.0/8'], 'Its address is not allowed'],
  ])('%s=%j', async (key, value, reason) => {
    await sso.reconfigure({ [key]: value });
    const parameters = {
      service: PORTAL,
      ticket: await proxying.ticketFor(PORTAL),
      pgtUrl: pgtUrlOf(),
    };
    const { body } = await validate(sso, '/serviceValidate', parameters);
    await sso.reconfigure({});
    const text = `The supplied proxy callback url '${pgtUrlOf()}' could not be authenticated. ${reason}.`;
    expect(body).toBe(failure('INVALID_PROXY_CALLBACK', text));
    expect(proxying.calls).toEqual([]);
  });
});
