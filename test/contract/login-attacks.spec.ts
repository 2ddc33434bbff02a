// Attacks on the login pages: each is answered without a ticket, a session or a redirect.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Browser, formIn, GOOD, loginPath, ticketIn } from '../support/browser.js';
import { http } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';

const MARKUP = '"><script>alert(1)</script>';
const ESCAPED = '&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;';
const MARKED = 'https://marked.example.org/';
const APP_LOGIN = loginPath(APP);

let sso: Sso;
let browser: Browser;

beforeAll(async () => {
  sso = await startSso({
    services: [{ serviceId: '^https://marked\\.example\\.org/.*', name: MARKUP }],
  });
});
beforeEach(() => {
  browser = new Browser(sso.url);
});
afterAll(() => sso.close());

describe('login CSRF', () => {
  const OWN = 'https://sso.example.org:8443';

  test.each([
    ['a program', {}, 302],
    ['our page', { 'sec-fetch-site': 'same-origin', origin: 'null' }, 302],
    ['the address bar', { 'sec-fetch-site': 'none' }, 302],
    ['an older browser, our page', { origin: OWN }, 302],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: OWN }, 403],
    ['a sibling domain', { 'sec-fetch-site': 'same-site' }, 403],
    ['a header that is no value', { 'sec-fetch-site': 'same-origin, cross-site' }, 403],
    ['an older browser, another site', { origin: 'https://evil.example' }, 403],
    ['an older browser, another port', { origin: 'https://sso.example.org' }, 403],
    ['an older browser that hides its page', { origin: 'null' }, 403],
  ])('a form sent by %s', async (_, headers, status) => {
    const { action, execution } = await browser.form(loginPath(APP));
    const reply = await browser.post(action, { execution, ...GOOD }, headers);
    expect(reply.status).toBe(status);
    expect(browser.cookie === undefined).toBe(status === 403);
  });
});

describe('the state of a form', () => {
  test.each([
    ['absent', () => ''],
    ['garbage', () => 'e1s1'],
    ['a cookie', async () => (await browser.login(), browser.cookie ?? '')],
    ['a TGT', () => sso.login()],
    ['a service ticket', async () => sso.grant(await sso.login())],
    [
      'changed in its last character',
      async () => flipLast((await browser.form(APP_LOGIN)).execution),
    ],
    [
      'changed in its purpose',
      async () => (await browser.form(APP_LOGIN)).execution.replace('login-form', 'session-cookie'),
    ],
    ['cut off', async () => (await browser.form(APP_LOGIN)).execution.slice(0, -4)],
    ['padded', async () => `${(await browser.form(APP_LOGIN)).execution}==`],
  ])('that is %s logs nobody in', async (_, execution) => {
    const value = await execution();
    browser.cookie = undefined;
    const reply = await browser.submit({ action: APP_LOGIN, execution: value });
    expect([reply.status, reply.headers.location, browser.cookie]).toEqual([
      400,
      undefined,
      undefined,
    ]);
    expect(reply.body).toContain('This page was open for too long.');
  });

  test('that was given twice gets 400', async () => {
    const { execution } = await browser.form(APP_LOGIN);
    const body = `execution=${execution}&execution=${execution}&username=casuser&password=Mellon`;
    const reply = await http('POST', sso.url, APP_LOGIN, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(reply.status).toBe(400);
  });

  test('of a confirmation does not log in with credentials', async () => {
    await browser.login(APP_LOGIN, { ...GOOD, warn: 'true' });
    const form = await browser.form(APP_LOGIN);
    browser.cookie = undefined;
    const reply = await browser.submit(form);
    expect(reply.headers.location).toBeUndefined();
    expect(browser.cookie).toBeUndefined();
  });

  test('of a login is no confirmation', async () => {
    await browser.login(APP_LOGIN, { ...GOOD, warn: 'true' });
    const form = await browser.form(loginPath(APP, { renew: 'true' }));
    const reply = await browser.submit(form, {});
    expect([reply.status, reply.headers.location]).toEqual([400, undefined]);
  });
});

describe('the session cookie', () => {
  test.each([
    ['garbage', () => 'x'],
    ['a TGT', () => sso.login()],
    ['a service ticket', async () => sso.grant(await sso.login())],
    ['the state of a form', async () => (await browser.form(APP_LOGIN)).execution],
    [
      'that of a session that ended',
      async () => {
        await browser.login();
        const { cookie = '' } = browser;
        await browser.get('/logout');
        return cookie;
      },
    ],
    ['changed', async () => (await browser.login(), flipLast(browser.cookie ?? ''))],
  ])('that is %s names no session', async (_, cookie) => {
    browser.cookie = await cookie();
    expect((await browser.get(APP_LOGIN)).status).toBe(200);
    expect((await browser.get('/login')).body).toContain('name="password"');
  });

  test.each(['/v1/tickets/', '/proxy?targetService=x&pgt='])('is no ticket at %s', async (path) => {
    await browser.login();
    const answer = await http('GET', sso.url, `${path}${encodeURIComponent(browser.cookie ?? '')}`);
    expect(answer.body).toMatch(/Ticket could not be found|INVALID_TICKET|INVALID_REQUEST/);
  });

  // Origin: cookie tossing, from a sibling domain that sets a cookie for the parent domain.
  test('is not believed where a second one names another session', async () => {
    const attacker = new Browser(sso.url);
    await attacker.login();
    await browser.login();
    for (const cookie of [
      `TGC=${attacker.cookie}; TGC=${browser.cookie}`,
      `TGC=${browser.cookie}; TGC=${attacker.cookie}`,
    ]) {
      const { status } = await http('GET', sso.url, APP_LOGIN, { headers: { cookie } });
      expect(status).toBe(200);
    }
  });

  // Eight of a sibling come first: what is behind a bound counts too.
  test('is not believed behind eight others', async () => {
    const attacker = new Browser(sso.url);
    await attacker.login();
    await browser.login();
    for (const first of [`TGC=${attacker.cookie}`, 'TGC=x']) {
      const eight = Array.from({ length: 8 }, (_, at) => (at === 0 ? first : 'TGC=x'));
      for (const own of [`TGC=${browser.cookie}`, `TGC=x; TGC=${browser.cookie}`]) {
        const headers = { cookie: [...eight, own].join('; ') };
        expect((await http('GET', sso.url, APP_LOGIN, { headers })).status).toBe(200);
      }
    }
  });

  test('is found beside garbage of the same name', async () => {
    await browser.login();
    const headers = { cookie: `a=b; TGC=x; TGC=${browser.cookie}; XTGC=y` };
    expect(ticketIn(await http('GET', sso.url, APP_LOGIN, { headers }))).toMatch(/^ST-/);
  });

  // Origin: OWASP "Session Fixation".
  test('of an attacker is replaced at the login of the victim', async () => {
    const attacker = new Browser(sso.url);
    await attacker.login(APP_LOGIN);
    browser.cookie = attacker.cookie;
    await browser.login(loginPath(APP, { renew: 'true' }));
    expect(browser.cookie).not.toBe(attacker.cookie);
  });
});

describe('a logout', () => {
  const CROSS_SITE = { 'sec-fetch-site': 'cross-site' };

  test('by a form of another site, without the cookie, goes on by a link, which browsers send it with', async () => {
    await browser.login();
    const { cookie = '' } = browser;
    browser.cookie = undefined;
    const query = `?${new URLSearchParams({ service: APP }).toString()}`;
    for (const [path, form, location] of [
      ['/logout', {}, '/cas/logout'],
      [`/logout${query}`, {}, `/cas/logout${query}`],
      ['/logout', { service: APP }, `/cas/logout${query}`],
    ] as const) {
      const { status, headers } = await browser.post(path, form, CROSS_SITE);
      expect([status, headers.location, headers['set-cookie']]).toEqual([302, location, undefined]);
    }
    browser.cookie = cookie;
    expect((await browser.get('/logout', CROSS_SITE)).status).toBe(200);
    browser.cookie = cookie;
    expect((await browser.get('/login')).body).toContain('name="password"');
  });

  test('without a cookie clears none', async () => {
    for (const method of ['GET', 'POST']) {
      const { status, headers } = await http(method, sso.url, '/logout');
      expect([status, headers['set-cookie']]).toEqual([200, undefined]);
    }
  });

  test('ends every session that the browser names, also behind eight other cookies', async () => {
    const attacker = new Browser(sso.url);
    await attacker.login();
    await browser.login();
    const both = [attacker.cookie ?? '', browser.cookie ?? ''];
    const cookie = [...Array<string>(8).fill('x'), ...both].map((each) => `TGC=${each}`).join('; ');
    expect((await http('GET', sso.url, '/logout', { headers: { cookie } })).status).toBe(200);
    for (const each of both) {
      browser.cookie = each;
      expect((await browser.get('/login')).body).toContain('name="password"');
    }
  });
});

describe('reflected text', () => {
  test('of the user name is escaped', async () => {
    const reply = await browser.login(APP_LOGIN, { username: MARKUP, password: 'x' });
    expect(reply.body).toContain(`value="${ESCAPED}"`);
    expect(reply.body).not.toContain('<script>alert');
  });

  test('of the name of a service is escaped', async () => {
    const { body } = await browser.get(loginPath(MARKED));
    expect(body).toContain(`to continue to ${ESCAPED}`);
  });

  test.each([
    ['the service', loginPath(`${MARKED}${MARKUP}`)],
    ['a parameter', `/login?${encodeURIComponent(MARKUP)}=1&locale=${encodeURIComponent(MARKUP)}`],
    ['the raw query', `/login?x=">'<script>alert(1)</script>`],
    ['a template', '/login?locale={{locale}}&x={{7331|times:3}}'],
    ['a service to which a ticket is posted', loginPath(`${MARKED}${MARKUP}`, { method: 'POST' })],
    ['a service at logout', loginPath(MARKUP).replace('login', 'logout')],
  ])('of %s is escaped', async (_, path) => {
    for (const page of [await browser.get(path), await browser.login(), await browser.get(path)]) {
      expect(page.body).not.toContain('<script>alert');
      expect(page.body).not.toContain("'<");
      expect(page.body).not.toContain('21993');
    }
  });

  test('of a user name with control characters gets 400', async () => {
    const reply = await browser.login(APP_LOGIN, { username: 'a\r\nb', password: 'x' });
    expect(reply.status).toBe(400);
    expect(reply.body).toContain('username contains control characters');
  });
});

// Origin: injection of directives into a Content-Security-Policy.
test.each([
  'https://a.example;script-src-elem',
  'https://a.example,b',
  'http://a.example/logo.png',
  'javascript:alert(1)',
  'data:image/svg+xml,x',
  '//a.example/logo.png',
])('the logo %s of a service is not shown', async (logo) => {
  await sso.database.dataSource.query(
    "update registered_service set properties = $1 where name like '%script%'",
    [JSON.stringify({ logo })],
  );
  await sso.refreshServices();
  const { headers, body } = await browser.get(loginPath(MARKED));
  expect(headers['content-security-policy']).toContain("img-src 'self'; base-uri");
  expect(body).not.toContain('<p class="application">\n<img');
  expect(body).not.toContain(logo);
});

describe('credentials', () => {
  test.each(['username', 'password'])('in the query as %s are refused', async (name) => {
    for (const method of ['GET', 'POST']) {
      const reply = await http(method, sso.url, `/login?${name}=secret-${name}`);
      expect(reply.status).toBe(400);
      expect(reply.body).not.toContain(`secret-${name}`);
    }
  });

  test.each([
    ['no form', { body: '{}', headers: { 'content-type': 'application/json' } }, 415],
    ['nothing', {}, 415],
    ['too much', { form: { x: 'x'.repeat(65_536) } }, 413],
  ])('sent as %s are refused', async (_, call, status) => {
    const reply = await http('POST', sso.url, '/login', call);
    expect([reply.status, reply.headers['content-type']]).toEqual([
      status,
      'text/html;charset=UTF-8',
    ]);
  });
});

test('while the database is unavailable, the answer is a page with 503', async () => {
  const form = formIn(await browser.get(APP_LOGIN));
  await sso.databaseProxy.set('refuse');
  sso.databaseProxy.cut();
  const reply = await browser.submit(form);
  expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2']);
  expect(reply.body).toContain('Signing in is not possible at the moment');
  expect((await browser.get('/login')).status).toBe(200);
  await sso.databaseProxy.set('open');
});

/** Changes the last character but one; the last may have bits without a meaning. */
function flipLast(text: string): string {
  return `${text.slice(0, -2)}${text.at(-2) === 'A' ? 'B' : 'A'}${text.at(-1)}`;
}
