// One service, many spellings: none of them buys what the service's own registration refuses.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { http } from '../support/http.js';
import { startSso, type Sso } from '../support/sso.js';
import { newTicket, validate } from '../support/validation.js';

const REGISTRATIONS = [
  {
    serviceId: 'https://app\\.corp/admin/.*',
    name: 'admin',
    evaluationOrder: 0,
    requiredAttributes: { role: ['admin'] },
  },
  { serviceId: 'https://legacy\\.corp/.*', name: 'closed', evaluationOrder: 0, enabled: false },
  {
    serviceId: 'https://ported\\.corp:443/.*',
    name: 'closed, with a port',
    evaluationOrder: 0,
    enabled: false,
  },
  {
    serviceId: 'https://b\u00fcro\\.corp/.*',
    name: 'international',
    evaluationOrder: 0,
    enabled: false,
  },
  {
    serviceId: 'https://[a-z0-9%:.@-]+\\.?corp\\.?(:443)?/.*',
    name: 'intranet',
    evaluationOrder: 9,
  },
  { serviceId: 'https://[^/]+\\.wild\\.test/.*', name: 'wildcard', evaluationOrder: 9 },
];

describe('spellings of a service', () => {
  let sso: Sso;
  beforeAll(async () => {
    sso = await startSso({ services: REGISTRATIONS });
  });
  afterAll(() => sso.close());

  test.each([
    ['encoded letters', 'https://app.corp/%61dmin/x'],
    ['the default port', 'https://app.corp:443/admin/x'],
    ['jsessionid in the path', 'https://app.corp/admin;jsessionid=1/x'],
    ['the default port of a disabled service', 'https://legacy.corp:443/'],
    ['encoded letters of a host', 'https://legac%79.corp/'],
    ['itself', 'https://app.corp/admin/x'],
    ['dot segments', 'https://app.corp/open/../admin/x'],
    ['encoded dot segments', 'https://app.corp/open/..%2Fadmin/x'],
    ['dot segments that are encoded twice', 'https://app.corp/open/%252e%252e/admin/x'],
    ['dot segments with a jsessionid', 'https://app.corp/open/..;jsessionid=1/admin/x'],
    ['dot segments and backslashes behind it', 'https://app.corp/admin%2Fx%5C..%5C..'],
    ['a dot at the end of the host', 'https://app.corp./admin/x'],
    ['a user', 'https://ann@app.corp/admin/x'],
    ['the host in ASCII', 'https://xn--bro-hoa.corp/'],
    ['a query in place of a host', 'https://evil.example?.wild.test/'],
    ['a fragment in place of a host', 'https://evil.example#.wild.test/'],
    ['a backslash in place of a host', 'https://evil.example\\.wild.test/'],
  ])('with %s are refused where the service is', async (_, service) => {
    const reply = await http('POST', sso.url, `/v1/tickets/${await sso.login()}`, {
      form: { service },
    });
    expect(reply.status).toBe(403);
  });

  test.each([
    'https://evil.example?.wild.test/',
    'https://evil.example#.wild.test/',
    'https://evil.example\\.wild.test/',
  ])('%s is a URL of another host: no login for it', async (service) => {
    const page = await http('GET', sso.url, `/login?service=${encodeURIComponent(service)}`);
    expect(page.status).toBe(403);
  });

  test.each([['https://ported.corp/x', 'https://ported.corp:443/x']])(
    'granted for %s are not redeemed as %s, which is disabled',
    async (service, presented) => {
      const ticket = await newTicket(sso, service);
      const reply = await validate(sso, '/serviceValidate', { service: presented, ticket });
      expect(reply.status).toBe(400);
      expect(reply.body).toContain('UNAUTHORIZED_SERVICE');
    },
  );

  test.each([
    ['https://wiki.corp/a%20b?c=d+e', 'https://WIKI.corp:443/a b?c=d%20e#f'],
    ['https://wiki.corp/x', 'https://wiki.corp/x;jsessionid=9'],
    ['https://x.wild.test/a b?c=\u00e9', 'https://x.wild.test/a%20b?c=%C3%A9'],
  ])('of an open service serve as well as any: %s, %s', async (service, presented) => {
    const ticket = await newTicket(sso, service);
    const reply = await validate(sso, '/serviceValidate', { service: presented, ticket });
    expect(reply.status).toBe(200);
  });
});
