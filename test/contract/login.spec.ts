// The login page and single sign-on: what each request is answered.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Browser, formIn, GOOD, loginPath, ticketIn } from '../support/browser.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { validate } from '../support/validation.js';

const OTHER = 'https://other.example.org/';
const NO_SSO = 'https://no-sso.example.org/';
const ADMINS = 'https://admins.example.org/';
const SERVICES = [
  {
    serviceId: '^https://other\\.example\\.org/.*',
    name: 'Other',
    properties: { logo: 'https://static.example.org/o.png' },
  },
  { serviceId: '^https://no-sso\\.example\\.org/.*', name: 'No SSO', ssoEnabled: false },
  {
    serviceId: '^https://admins\\.example\\.org/.*',
    name: 'Admins',
    requiredAttributes: { memberOf: ['nobody'] },
  },
];

let sso: Sso;
let browser: Browser;

beforeAll(async () => {
  sso = await startSso({
    services: SERVICES,
    settings: ['--sso.authentication.static.users=casuser::Mellon,bob::Builder'],
  });
});
beforeEach(() => {
  browser = new Browser(sso.url);
});
afterAll(() => sso.close());

/** What an application learns from a ticket. */
async function validated(ticket: string, service = APP): Promise<string> {
  const { body } = await validate(sso, '/p3/serviceValidate', { service, ticket });
  const user = /<cas:user>(.*)<\/cas:user>/.exec(body)?.[1];
  const fromNewLogin = /<cas:isFromNewLogin>(.*)<\/cas:isFromNewLogin>/.exec(body)?.[1];
  return user === undefined ? body : `${user}, new login: ${fromNewLogin}`;
}

describe('the login page', () => {
  test('has a form, and headers that protect it', async () => {
    const { status, headers, body } = await browser.get(loginPath(OTHER));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html;charset=UTF-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=31536000',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; " +
        "img-src 'self' https://static.example.org; base-uri 'none'; frame-ancestors 'none'",
    });
    expect(headers['set-cookie']).toBeUndefined();
    for (const field of ['username', 'password', 'execution', '_eventId']) {
      expect(body).toContain(`name="${field}"`);
    }
    expect(body).toContain('to continue to Other <small><bdi>other.example.org</bdi></small>');
    expect(body).toContain('<img src="https://static.example.org/o.png" alt="">');
    expect(body).not.toMatch(/<script>|<style|style="|onclick/);
  });

  test('sends the browser to the application with a ticket of a new login', async () => {
    const reply = await browser.login(loginPath(APP));
    expect(reply.status).toBe(302);
    expect(reply.headers.location).toMatch(
      /^https:\/\/app\.example\.org\/\?ticket=ST-[A-Za-z0-9]{23}$/,
    );
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(/^TGC=v1\.[^;]+; Path=\/cas; HttpOnly; SameSite=Lax; Secure$/),
    ]);
    expect(reply.headers['referrer-policy']).toBe('no-referrer');
    expect(await validated(ticketIn(reply))).toBe('casuser, new login: true');
  });

  test.each([loginPath(APP), '/login'])('is not shown again after a login at %s', async (path) => {
    await browser.login(path);
    const ticket = ticketIn(await browser.get(loginPath(OTHER)));
    expect(await validated(ticket, OTHER)).toBe('casuser, new login: false');
  });

  test.each([
    ['https://app.example.org/', 'https://app.example.org/?ticket='],
    ['https://app.example.org/a?', 'https://app.example.org/a?ticket='],
    ['https://app.example.org/a?x=1', 'https://app.example.org/a?x=1&ticket='],
    ['https://app.example.org/a?x=1&', 'https://app.example.org/a?x=1&ticket='],
    ['https://app.example.org/a#top', 'https://app.example.org/a?ticket=…#top'],
    ['https://app.example.org/a?x=1#a?b', 'https://app.example.org/a?x=1&ticket=…#a?b'],
    ['https://app.example.org/ä?ö=€', 'https://app.example.org/%C3%A4?%C3%B6=%E2%82%AC&ticket='],
    ['https://app.example.org/%C3%A4?q=%26', 'https://app.example.org/%C3%A4?q=%26&ticket='],
  ])('leads to %s with the ticket in its query', async (service, location) => {
    const reply = await browser.login(loginPath(service));
    const [before = '', after = ''] = location.split('…');
    expect(reply.headers.location).toBe(`${before}${ticketIn(reply)}${after}`);
    expect(await validated(ticketIn(reply), service)).toBe('casuser, new login: true');
  });

  test.each([
    ['TARGET alone', { TARGET: APP }, 'SAMLart'],
    ['service and TARGET', { service: APP, TARGET: OTHER }, 'ticket'],
    ['an empty service', { service: '', TARGET: APP }, 'SAMLart'],
  ])('answers %s', async (_, query, parameter) => {
    const reply = await browser.login(`/login?${new URLSearchParams(query).toString()}`);
    expect(reply.headers.location).toMatch(new RegExp(`^${APP}\\?${parameter}=ST-`));
  });

  test.each(['POST', 'post'])('posts the ticket where method=%s', async (method) => {
    const reply = await browser.login(loginPath(APP, { method }));
    expect(reply.status).toBe(200);
    expect(reply.body).toContain(`<form id="post" method="post" action="${APP}">`);
    const ticket = /name="ticket" value="(ST-[^"]+)"/.exec(reply.body)?.[1] ?? '';
    expect(await validated(ticket)).toBe('casuser, new login: true');
    const second = await browser.get(loginPath(OTHER, { method }));
    expect(second.body).toContain(`<form id="post" method="post" action="${OTHER}">`);
  });

  test.each([
    ['a wrong password', { username: 'casuser', password: 'wrong' }],
    ['an unknown user', { username: 'nobody', password: 'Mellon' }],
  ])('refuses %s with the same page', async (_, fields) => {
    const reply = await browser.login(loginPath(APP), fields);
    expect(reply.status).toBe(401);
    expect(reply.headers['set-cookie']).toBeUndefined();
    expect(reply.body).toContain('The user name or the password is not correct.');
    expect(reply.body).toContain(`name="username" value="${fields.username}"`);
    expect(reply.body).not.toContain(fields.password);
    expect(ticketIn(await browser.submit(formIn(reply)))).toMatch(/^ST-/);
  });

  test.each([
    ['no fields', {}],
    ['no password', { username: 'casuser' }],
    ['an empty password', { username: 'casuser', password: '' }],
    ['an empty user name', { username: '', password: 'Mellon' }],
  ])('asks again for %s', async (_, fields) => {
    const reply = await browser.login(loginPath(APP), fields);
    expect(reply.status).toBe(400);
    expect(reply.body).toContain('Enter your user name and your password.');
  });

  test('shows the session where no application is named', async () => {
    const reply = await browser.login();
    expect([reply.status, reply.headers.location]).toEqual([302, '/cas/login']);
    const page = await browser.get('/login');
    expect(page.status).toBe(200);
    expect(page.body).toContain('as casuser');
    expect(page.body).toContain('<form method="post" action="/cas/logout">');
  });
});

describe('renew and gateway', () => {
  const shows = async (query: Readonly<Record<string, string>>): Promise<string> => {
    const { status, headers } = await browser.get(loginPath(APP, query));
    if (status === 200) return 'form';
    return String(headers.location).replace(/ST-\w+/, 'ST');
  };

  test.each([
    [{ renew: 'true' }, 'form'],
    [{ renew: '' }, 'form'],
    [{ renew: 'false' }, `${APP}?ticket=ST`],
    [{ renew: 'OFF' }, `${APP}?ticket=ST`],
    [{ gateway: 'true' }, `${APP}?ticket=ST`],
    [{ gateway: 'true', renew: 'true' }, 'form'],
  ])('with a session, %j leads to %s', async (query, expected) => {
    await browser.login();
    expect(await shows(query)).toBe(expected);
  });

  test.each([
    [{}, 'form'],
    [{ gateway: 'true' }, APP],
    [{ gateway: 'false' }, 'form'],
    [{ gateway: 'true', renew: 'true' }, 'form'],
  ])('without a session, %j leads to %s', async (query, expected) => {
    expect(await shows(query)).toBe(expected);
  });

  test('gateway shows the form where no application is named', async () => {
    expect((await browser.get('/login?gateway=true')).status).toBe(200);
  });

  test('gateway leads back without a ticket where the user may not use the application', async () => {
    await browser.login();
    const { status, headers } = await browser.get(loginPath(ADMINS, { gateway: 'true' }));
    expect([status, headers.location]).toEqual([302, ADMINS]);
  });

  test('renew in a session gives a ticket of a new login, and keeps the session', async () => {
    await browser.login(loginPath(APP));
    const reply = await browser.login(loginPath(OTHER, { renew: 'true' }));
    expect(await validated(ticketIn(reply), OTHER)).toBe('casuser, new login: true');
    expect(await validated(ticketIn(await browser.get(loginPath(APP))))).toBe(
      'casuser, new login: false',
    );
  });

  test('a login of another user ends the session', async () => {
    await browser.login(loginPath(APP));
    const before = browser.cookie;
    const renew = loginPath(OTHER, { renew: 'true' });
    const reply = await browser.login(renew, { username: 'bob', password: 'Builder' });
    expect(await validated(ticketIn(reply), OTHER)).toBe('bob, new login: true');
    browser.cookie = before;
    expect((await browser.get(loginPath(APP))).status).toBe(200);
  });
});

describe('services with rules', () => {
  test.each([
    ['with tickets', loginPath(APP), {}],
    ['without tickets', '/login', {}],
    ['that asks first', '/login', { warn: 'true' }],
    ['that is remembered', '/login', { rememberMe: 'true' }],
  ])('one without single sign-on asks in a session %s', async (_, path, choices) => {
    await browser.login(path, { ...GOOD, ...choices });
    expect((await browser.get(loginPath(NO_SSO))).body).toContain('name="password"');
  });

  test('one that takes no part in single sign-on asks for credentials each time', async () => {
    await browser.login();
    const gateway = await browser.get(loginPath(NO_SSO, { gateway: 'true' }));
    expect(gateway.headers.location).toBe(NO_SSO);
    const reply = await browser.login(loginPath(NO_SSO));
    expect(await validated(ticketIn(reply), NO_SSO)).toBe('casuser, new login: true');
  });

  test('one that this user may not use gets no ticket, and the session goes on', async () => {
    const reply = await browser.login(loginPath(ADMINS));
    expect(reply.status).toBe(403);
    expect(reply.body).toContain('You have no access');
    expect(reply.body).toContain('<a href="/cas/login">Show who is signed in, or sign out</a>');
    expect(reply.headers.location).toBeUndefined();
    expect(ticketIn(await browser.get(loginPath(APP)))).toMatch(/^ST-/);
    expect((await browser.get(loginPath(ADMINS))).status).toBe(403);
  });
});
