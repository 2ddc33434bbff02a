// Attacks by the form of requests: paths, methods, hosts, content types, and texts that pages show.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type * as client from 'openid-client';
import { CookieBrowser } from '../support/cookie-browser.js';
import { http, type Call, type Reply } from '../support/http.js';
import {
  discover,
  newSecret,
  oidcClient,
  REDIRECT_URI,
  requestOf,
  startOidc,
} from '../support/oidc-client.js';
import { sendRaw } from '../support/raw-request.js';
import { BASE_URL, type Sso } from '../support/sso.js';

const ISSUER = `${BASE_URL}/oidc`;
const MARKUP = '"><script>alert(1)</script>';
const FORM = 'application/x-www-form-urlencoded';
/** A dummy, since the requests must not come so far. */
const BODY = 'grant_type=client_credentials';

let sso: Sso;
let config: client.Configuration;
let browser: CookieBrowser;
let authorization: string;

beforeAll(async () => {
  sso = await startOidc({
    services: [
      oidcClient('web'),
      oidcClient('server', {
        tokenEndpointAuthMethod: 'client_secret_basic',
        grantTypes: ['client_credentials'],
      }),
      ...['javascript:alert(1)', 'data:image/svg+xml,x', 'https://a.example;script-src *'].map(
        (logo, at) => oidcClient(`marked-${at}`, {}, { name: MARKUP, properties: { logo } }),
      ),
    ],
  });
  config = await discover(sso, 'web');
  const secret = await newSecret(sso, 'server');
  authorization = `Basic ${Buffer.from(`server:${secret}`).toString('base64')}`;
});
beforeEach(() => {
  browser = new CookieBrowser(sso.url);
});
afterAll(() => sso.close());

const token = (path: string, call: Call = {}): Promise<Reply> =>
  http('POST', sso.url, path, {
    body: BODY,
    ...call,
    headers: { 'content-type': FORM, authorization, ...call.headers },
  });

test('the control: the request that the others change is answered', async () => {
  expect((await token('/oidc/token')).status).toBe(200);
});

// Origin: CVE-2023-34034 of Spring Security and others, where rules and routes read a path in different ways.
describe('another spelling of the path of tokens is none', () => {
  test.each([
    '/oidc/TOKEN',
    '/OIDC/token',
    '/oidc/token/',
    '/oidc//token',
    '/oidc/./token',
    '/oidc/x/../token',
    '/oidc/%74oken',
    '/oidc%2ftoken',
    '/oidc/token;x=1',
    '/oidc/token%00',
    '/oidc/token%2f',
    '/oidc/token.json',
  ])('%s', async (path) => {
    expect((await token(path)).status).toBe(404);
  });

  test('also in a request line with a host', async () => {
    const { host } = new URL(sso.url);
    const head = `Host: ${host}\r\nContent-Type: ${FORM}\r\nAuthorization: ${authorization}`;
    const targets = ['http://x/cas/oidc/jwks', 'http://aa/cas/oidc/token', '/cas/oidc\\token', '*'];
    for (const target of targets) {
      const answer = await sendRaw(
        sso.url,
        `POST ${target} HTTP/1.1\r\n${head}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 4/);
      expect(answer).not.toContain('access_token');
    }
  });
});

// Paths of the library that nothing here needs, and the registration of clients by themselves.
describe.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s has no', (method) => {
  test.each([
    '/register',
    '/register/web',
    '/session/end/success',
    '/interaction/x/abort',
    '/me',
    '/request',
    '/backchannel',
    '/challenge',
    '/credential',
    '/.well-known/openid-credential-issuer',
    '/authorize/x/y',
  ])('%s', async (path) => {
    expect((await http(method, sso.url, `/oidc${path}`)).status).toBe(404);
  });
});

// Origin: RFC 9110, section 15.5.6.
test.each([
  '/oidc/token',
  '/oidc/par',
  '/oidc/device-authorization',
  '/oidc/introspect',
  '/oidc/revoke',
  '/oauth2.0/accessToken',
])('GET %s is answered 405', async (path) => {
  const { status, headers } = await http('GET', sso.url, path);
  expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' });
});

test.each([
  '/oidc/jwks',
  '/oidc/.well-known/openid-configuration',
  '/oidc/.well-known/oauth-authorization-server',
])('HEAD %s is answered as GET, without the body', async (path) => {
  const { status, headers, body } = await http('HEAD', sso.url, path);
  const got = await http('GET', sso.url, path);
  expect([status, headers['content-length'], body]).toEqual([200, String(got.body.length), '']);
});

describe('a method that a path does not have changes nothing', () => {
  test.each([
    ['/authorize', ['PUT', 'DELETE', 'PATCH', 'HEAD']],
    ['/token', ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD']],
    ['/par', ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD']],
    ['/device-authorization', ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD']],
    ['/device/x', ['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD']],
    ['/introspect', ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD']],
    ['/revoke', ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD']],
    ['/userinfo', ['PUT', 'DELETE', 'PATCH', 'HEAD']],
    ['/jwks', ['POST', 'PUT', 'DELETE', 'PATCH']],
  ])('%s', async (path, methods) => {
    for (const method of methods) {
      const headers = { authorization, 'content-type': FORM, 'x-http-method-override': 'POST' };
      const { status } = await http(method, sso.url, `/oidc${path}?${BODY}`, { headers });
      expect({ method, status: [404, 405].includes(status) ? 'refused' : status }).toEqual({
        method,
        status: 'refused',
      });
    }
  });
});

describe('a body of tokens', () => {
  test.each<[string, string, string]>([
    ['JSON', 'application/json', '{"grant_type":"client_credentials"}'],
    ['text', 'text/plain', BODY],
    ['multipart', 'multipart/form-data; boundary=x', '--x--'],
    ['a look-alike', `${FORM}-not`, BODY],
    ['too long', FORM, `${BODY}&x=${'x'.repeat(70_000)}`],
    ['a parameter twice', FORM, `${BODY}&grant_type=client_credentials`],
    ['a parameter as a list', FORM, 'grant_type[]=client_credentials'],
    ['a parameter of the prototype', FORM, '__proto__=x&constructor=y&grant_type=__proto__'],
    ['nothing', FORM, ''],
  ])('that is %s is refused', async (_, type, body) => {
    const reply = await token('/oidc/token', { body, headers: { 'content-type': type } });
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body).error).toMatch(/invalid_request|unsupported_grant_type/);
  });

  test('in the address counts for nothing', async () => {
    const reply = await token(`/oidc/token?${BODY}&scope=openid`, { body: '' });
    expect(reply.status).toBe(400);
    const { access_token: text } = JSON.parse((await token('/oidc/token')).body);
    const path = `/oidc/userinfo?access_token=${text}`;
    expect((await http('GET', sso.url, path)).status).toBe(400);
  });
});

// Origin: Skeleton, "Practical HTTP Host header attacks" (2013).
describe('URLs are those of the settings', () => {
  const FORGED = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    'x-forwarded-prefix': '/evil',
    'x-forwarded-for': '127.0.0.1',
    forwarded: 'host=evil.example;proto=http',
    'x-original-url': '/evil',
    'x-rewrite-url': '/evil',
  };

  test.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])(
    'at %s',
    async (path) => {
      const { body } = await http('GET', sso.url, `/oidc${path}`, { headers: FORGED });
      const metadata = JSON.parse(body) as Record<string, unknown>;
      expect(body).not.toContain('evil');
      for (const [name, value] of Object.entries(metadata)) {
        if (/_(endpoint|uri)$/.test(name)) expect(String(value)).toMatch(`${ISSUER}/`);
      }
      expect(metadata['issuer']).toBe(ISSUER);
      expect(metadata).not.toHaveProperty('registration_endpoint');
      expect(metadata['response_types_supported']).toEqual(['code']);
      expect(body).not.toMatch(/implicit|"password"|"none"\]?,"(?:HS|RS)|HS256|token-exchange/);
    },
  );

  test('in redirects, forms and cookies', async () => {
    const { pathname, search } = new URL((await requestOf(config)).address);
    const reply = await http('GET', new URL(sso.url).origin, pathname + search, {
      headers: FORGED,
    });
    expect(reply.headers.location).toMatch(`${ISSUER}/interaction/`);
    const cookies = reply.headers['set-cookie'] ?? [];
    expect(cookies).toHaveLength(2);
    for (const each of cookies) {
      expect(each).toMatch(/; path=\/cas\/oidc\/.*; samesite=lax; secure; httponly$/i);
    }
  });
});

// Origin: OpenID Connect Core 1.0, section 5.6; keys that are public must be nothing else.
test('the published keys are public', async () => {
  const { body } = await http('GET', sso.url, '/oidc/jwks');
  const { keys } = JSON.parse(body) as { readonly keys: readonly object[] };
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) {
    expect(Object.keys(key)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(d|p|q|dp|dq|qi|k)$/)]),
    );
  }
});

// Origin: CVE-2023-6134 of Keycloak; OWASP "Cross Site Scripting" and "Clickjacking".
describe('a page', () => {
  const open = (parameters: Readonly<Record<string, string>>): Promise<Reply> =>
    requestOf(config, parameters).then(({ address }) => browser.open(address));

  test.each<[string, Readonly<Record<string, string>>]>([
    ['for an unknown client', { client_id: MARKUP }],
    ['for a redirect URI', { redirect_uri: `https://evil.example/${MARKUP}` }],
    ['for a client with a name of markup', { client_id: 'marked-0' }],
    ['for a client with another logo', { client_id: 'marked-1' }],
    ['for a client with a logo of two directives', { client_id: 'marked-2' }],
    ['for a user name', { login_hint: MARKUP }],
    ['for a language', { ui_locales: MARKUP }],
    ['for a state, scope and nonce', { state: MARKUP, nonce: MARKUP, scope: `openid ${MARKUP}` }],
    ['that posts an error', { response_mode: 'form_post', state: MARKUP, prompt: MARKUP }],
    ['for a response mode', { response_mode: MARKUP, redirect_uri: MARKUP }],
  ])('%s has no markup of it, and no frame', async (_, parameters) => {
    const { body, headers } = await open(parameters);
    expect(body).not.toContain('<script>alert');
    if (headers.location !== undefined) {
      expect(headers.location).toMatch(`${REDIRECT_URI}?`);
      return;
    }
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('a.example');
    expect(headers['cache-control']).toContain('no-store');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test.each(['/authorize', '/token', '/userinfo', '/interaction/x', '/session/end/confirm'])(
    'of an error at %s has no stack and no path',
    async (path) => {
      const name = `x${'y'.repeat(8_000)}`;
      // A form to `/authorize` goes on as a link.
      for (const method of path === '/authorize' ? ['GET'] : ['GET', 'POST']) {
        const reply = await http(method, sso.url, `/oidc${path}?${name}=${MARKUP}&a=%zz&b=%ff`, {
          headers: { accept: 'text/html', ...(method === 'POST' && { 'content-type': FORM }) },
        });
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(reply.status).toBeLessThan(500);
        expect(reply.body).not.toMatch(/node_modules|\.js:\d|<script>alert/);
      }
    },
  );
});
