// How browsers are answered for a service: where refused users are sent, and how the ticket gets to the service.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Browser, loginPath } from '../support/browser.js';
import { startSso, type Sso } from '../support/sso.js';

const ADMINS = 'https://admins.example.org/?from=a';
const CLOSED = 'https://closed.example.org/';
const FORM = 'https://form.example.org/';
const REFUSED = 'https://help.example.org/no access?x=1#top';
const SENT_TO = 'https://help.example.org/no%20access?x=1#top';

let sso: Sso;
let browser: Browser;

beforeAll(async () => {
  sso = await startSso({
    services: [
      {
        serviceId: '^https://admins\\.example\\.org/.*',
        name: 'Admins',
        requiredAttributes: { memberOf: ['nobody'] },
        unauthorizedRedirectUrl: REFUSED,
      },
      {
        serviceId: '^(https://closed\\.example\\.org|javascript:).*',
        name: 'Closed',
        enabled: false,
        unauthorizedRedirectUrl: REFUSED,
      },
      { serviceId: '^https://form\\.example\\.org/.*', name: 'Form', responseType: 'post' },
    ],
  });
});
beforeEach(() => {
  browser = new Browser(sso.url);
});
afterAll(() => sso.close());

describe('unauthorizedRedirectUrl', () => {
  test('is where a user goes who may not use the service, with nothing of the request', async () => {
    const first = await browser.login(loginPath(ADMINS));
    const second = await browser.get(loginPath(ADMINS));
    for (const reply of [first, second]) {
      expect([reply.status, reply.headers.location]).toEqual([302, SENT_TO]);
    }
    expect(first.headers['set-cookie']).toEqual([expect.stringMatching(/^TGC=/)]);
  });

  test('is where everybody goes while the service is disabled', async () => {
    const reply = await browser.get(loginPath(CLOSED));
    expect([reply.status, reply.headers.location]).toEqual([302, SENT_TO]);
  });

  test('is not followed for a URL to which no browser is sent', async () => {
    const reply = await browser.get(loginPath('javascript:alert(1)'));
    expect([reply.status, reply.headers.location]).toEqual([403, undefined]);
  });

  test('does not take the place of the way back of a gateway', async () => {
    await browser.login('/login');
    const reply = await browser.get(loginPath(ADMINS, { gateway: 'true' }));
    expect([reply.status, reply.headers.location]).toEqual([302, ADMINS]);
  });
});

describe('responseType post', () => {
  test.each([{}, { method: '' }, { method: 'POST' }])(
    'posts the ticket, with %j',
    async (query) => {
      const reply = await browser.login(loginPath(FORM, query));
      expect(reply.status).toBe(200);
      expect(reply.body).toContain(`<form id="post" method="post" action="${FORM}">`);
    },
  );

  test('does not count where the request asks for a redirect', async () => {
    const reply = await browser.login(loginPath(FORM, { method: 'GET' }));
    expect(reply.headers.location).toMatch(/^https:\/\/form\.example\.org\/\?ticket=ST-/);
  });
});
