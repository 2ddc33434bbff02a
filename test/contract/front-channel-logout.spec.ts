// Front-channel single logout: the logout page lets the browser call the applications.
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Browser, loginPath, ticketIn } from '../support/browser.js';
import type { Reply } from '../support/http.js';
import { sessionIndexIn } from '../support/logout-receiver.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { query, validate } from '../support/validation.js';

const SHOP = 'https://shop.example.org/';
const NEWS = 'https://news.example.org/app?id=1&x="><script>';

let sso: Sso;
let browser: Browser;

beforeAll(async () => {
  sso = await startSso({
    services: [
      {
        serviceId: '^https://shop\\.example\\.org/.*',
        name: 'Shop',
        logoutType: 'front',
        logoutUrl: 'https://out.example.org/logout?from=cas#top',
      },
      {
        serviceId: '^https://twice\\.example\\.org/.*',
        name: 'Twice',
        logoutType: 'front',
        logoutUrl: 'https://one.example.org/?ids=1,2,https://two.example.org/out',
      },
      { serviceId: '^https://news\\.example\\.org/.*', name: '<News>', logoutType: 'front' },
    ],
  });
});
beforeEach(() => {
  browser = new Browser(sso.url);
});
afterAll(() => sso?.close());

async function signIn(service: string): Promise<string> {
  const reply = browser.cookie
    ? await browser.get(loginPath(service))
    : await browser.login(loginPath(service));
  const ticket = ticketIn(reply);
  expect((await validate(sso, '/serviceValidate', { service, ticket })).status).toBe(200);
  return ticket;
}

const framesIn = ({ body }: Reply): readonly URL[] =>
  [
    ...body.matchAll(/<iframe src="([^"]*)" hidden sandbox="allow-same-origin allow-scripts">/g),
  ].map(([, src = '']) => new URL(src.replaceAll('&amp;', '&')));

const messageIn = (url: URL): string =>
  inflateRawSync(Buffer.from(url.searchParams.get('logoutRequest') ?? '', 'base64')).toString();

const policyOf = ({ headers }: Reply): string | undefined =>
  /frame-src [^;]*/.exec(String(headers['content-security-policy']))?.[0];

test('calls each application, at its logout URL or its own', async () => {
  const tickets = [await signIn(SHOP), await signIn(NEWS)];
  await signIn(APP);
  const reply = await browser.get('/logout');
  expect(reply.status).toBe(200);
  const frames = framesIn(reply);
  expect(frames.map(({ href }) => href.replace(/logoutRequest=[A-Za-z0-9%]+$/, ''))).toEqual([
    'https://news.example.org/app?id=1&x=%22%3E%3Cscript%3E&',
    'https://out.example.org/logout?from=cas&',
  ]);
  const messages = frames.map(messageIn);
  expect(messages.map(sessionIndexIn).toSorted()).toEqual(tickets.toSorted());
  for (const message of messages) {
    expect(message).toMatch(
      /^<samlp:LogoutRequest [^<]* ID="LR-[A-Za-z0-9]{32}" .*>casuser<\/saml:NameID>/,
    );
  }
  expect(policyOf(reply)).toBe('frame-src https://news.example.org https://out.example.org');
  expect(reply.body).not.toContain('<script>');
});

test('calls each logout URL of an application', async () => {
  const ticket = await signIn('https://twice.example.org/');
  const reply = await browser.get('/logout');
  const frames = framesIn(reply);
  expect(frames.map(({ href }) => href.replace(/logoutRequest=.*/, ''))).toEqual([
    'https://one.example.org/?ids=1,2&',
    'https://two.example.org/out?',
  ]);
  expect(frames.map((frame) => sessionIndexIn(messageIn(frame)))).toEqual([ticket, ticket]);
  expect(policyOf(reply)).toBe('frame-src https://one.example.org https://two.example.org');
});

test('offers the way to the application of the request, which a script follows', async () => {
  await signIn(SHOP);
  const reply = await browser.get(`/logout${query({ service: APP })}`);
  expect(reply.status).toBe(200);
  expect(reply.headers.location).toBeUndefined();
  expect(reply.body).toContain(`id="next" href="${APP}"`);
  expect(reply.body).toContain('/assets/logout.js');
});

test('offers no way to an application that is not registered', async () => {
  await signIn(SHOP);
  const { body } = await browser.get(`/logout${query({ service: 'https://evil.example.com/' })}`);
  expect(body).not.toContain('evil');
  expect(body).not.toContain('logout.js');
});

test('calls nobody where no application is to be called', async () => {
  await signIn(APP);
  const reply = await browser.get('/logout');
  expect(framesIn(reply)).toEqual([]);
  expect(policyOf(reply)).toBeUndefined();
  expect(framesIn(await browser.get('/logout'))).toEqual([]);
});

test('the page of the session names its applications', async () => {
  await signIn(SHOP);
  await signIn(NEWS);
  await signIn(APP);
  const { body } = await browser.get('/login');
  const [, list] = /<h2>Your applications<\/h2>\n<ul>([^]*?)<\/ul>/.exec(body) ?? [];
  expect(list?.match(/<li>.*<\/li>/g)).toEqual([
    '<li>&lt;News&gt; <small><bdi>news.example.org</bdi></small></li>',
    '<li>Shop <small><bdi>shop.example.org</bdi></small></li>',
  ]);
});
