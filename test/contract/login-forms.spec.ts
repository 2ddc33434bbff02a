// Login forms, confirmations and logouts: each is accepted once, and ends what it should.
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Browser, formIn, GOOD, loginPath, ticketIn } from '../support/browser.js';
import { http } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';

const OTHER = 'https://other.example.org/';

let sso: Sso;
let browser: Browser;

beforeAll(async () => {
  sso = await startSso({
    services: [{ serviceId: '^https://other\\.example\\.org/.*', name: 'Other' }],
  });
});
beforeEach(() => {
  browser = new Browser(sso.url);
});
afterAll(() => sso.close());

describe('warn', () => {
  beforeEach(async () => {
    await browser.login(loginPath(APP), { ...GOOD, warn: 'true' });
  });

  test('asks before a login to another application', async () => {
    const page = await browser.get(loginPath(OTHER));
    expect(page.status).toBe(200);
    expect(page.body).toContain('You are about to sign in to Other');
    const reply = await browser.submit(formIn(page), {});
    expect(reply.headers.location).toBe(`${OTHER}?ticket=${ticketIn(reply)}`);
  });

  test('takes a confirmation once', async () => {
    const form = await browser.form(loginPath(OTHER));
    expect((await browser.submit(form, {})).status).toBe(302);
    expect((await browser.submit(form, {})).status).toBe(400);
  });

  test('asks for credentials where the session has ended in between', async () => {
    const form = await browser.form(loginPath(OTHER));
    await browser.get('/logout');
    const reply = await browser.submit(form, {});
    expect(reply.status).toBe(200);
    expect(reply.body).toContain('name="password"');
  });
});

describe('a form', () => {
  test('that expired keeps the user name and says what happened', async () => {
    const form = await browser.form(loginPath(APP));
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 30 * 60_000 + 1_000);
    const reply = await browser.submit(form).finally(() => clock.mockRestore());
    expect(reply.status).toBe(400);
    expect(reply.headers['set-cookie']).toBeUndefined();
    expect(reply.body).toContain('This page was open for too long. Sign in again.');
    expect(reply.body).toContain('name="username" value="casuser"');
    expect(ticketIn(await browser.submit(formIn(reply)))).toMatch(/^ST-/);
  });

  test('is accepted once, of any number of simultaneous requests', async () => {
    const form = await browser.form(loginPath(APP));
    const browsers = Array.from({ length: 12 }, () => new Browser(sso.url));
    const replies = await Promise.all(browsers.map((each) => each.submit(form)));
    const statuses = replies.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([302, ...Array.from({ length: 11 }, () => 400)]);
    const refused = replies.find(({ status }) => status === 400);
    expect(refused?.body).toContain('This page was already used to sign in.');
    expect(refused?.headers['set-cookie']).toBeUndefined();
  });

  test('still logs in after a wrong password in another tab', async () => {
    const form = await browser.form(loginPath(APP));
    await browser.login(loginPath(APP), { username: 'casuser', password: 'x' });
    expect((await browser.submit(form)).status).toBe(302);
  });
});

describe('logging out', () => {
  test.each(['GET', 'POST'])('by %s ends the session and clears the cookie', async (method) => {
    await browser.login(loginPath(APP));
    const cookie = browser.cookie;
    const reply = await (method === 'GET' ? browser.get('/logout') : browser.post('/logout', {}));
    expect(reply.status).toBe(200);
    expect(reply.headers['set-cookie']).toEqual([
      'TGC=; Path=/cas; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
    ]);
    expect(reply.body).toContain('You are signed out');
    browser.cookie = cookie;
    expect((await browser.get(loginPath(APP))).status).toBe(200);
  });

  test.each([
    ['a registered service', APP, 302],
    ['an unregistered service', 'https://evil.example/', 200],
    ['a service that no browser reads as we do', `${APP.slice(0, -1)}\\@evil.example/`, 200],
  ])('follows %s or not', async (_, service, status) => {
    const path = `/logout?${new URLSearchParams({ service }).toString()}`;
    const reply = await browser.get(path);
    expect([reply.status, reply.headers.location]).toEqual([
      status,
      status === 302 ? service : undefined,
    ]);
    expect(reply.body).not.toContain('evil');
    const posted = await browser.post('/logout', { service });
    expect([posted.status, posted.headers.location]).toEqual([status, reply.headers.location]);
  });

  test('is possible without a session', async () => {
    expect((await browser.get('/logout')).status).toBe(200);
  });
});

describe('methods', () => {
  test.each([
    ['HEAD', '/login', 200, undefined],
    ['HEAD', '/logout', 405, 'GET, POST'],
    ['PUT', '/login', 405, 'GET, HEAD, POST'],
    ['DELETE', '/logout', 405, 'GET, POST'],
    ['POST', '/assets/style.css', 404, undefined],
  ])('%s %s is answered %d', async (method, path, status, allow) => {
    const reply = await http(method, sso.url, path);
    expect([reply.status, reply.headers.allow]).toEqual([status, allow]);
  });

  test('HEAD grants no ticket in a session', async () => {
    await browser.login();
    const headers = { cookie: `TGC=${browser.cookie}` };
    const { status, headers: answered } = await http('HEAD', sso.url, loginPath(APP), { headers });
    expect([status, answered.location]).toEqual([200, undefined]);
  });
});
