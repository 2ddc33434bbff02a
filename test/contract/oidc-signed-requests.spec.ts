// Authorization requests that clients sign, or send to the server before the browser.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { CookieBrowser } from '../support/cookie-browser.js';
import { http } from '../support/http.js';
import {
  answerIn,
  discover,
  oidcClient,
  REDIRECT_URI,
  requestOf,
  startOidc,
} from '../support/oidc-client.js';
import {
  inAMinute,
  newSigningClient,
  type SigningClient,
  unsignedJwt,
} from '../support/signing-client.js';
import { BASE_URL, type Sso } from '../support/sso.js';

const ISSUER = `${BASE_URL}/oidc`;
const ORIGIN = new URL(REDIRECT_URI).origin;

let sso: Sso;
let browser: CookieBrowser;
let signer: SigningClient;

beforeAll(async () => {
  signer = await newSigningClient();
  sso = await startOidc({
    services: [
      oidcClient('web'),
      oidcClient('signing', { tokenEndpointAuthMethod: 'private_key_jwt', jwks: signer.jwks }),
      oidcClient('pushing', { parRequired: true }),
    ],
  });
});
beforeEach(async () => {
  browser = new CookieBrowser(sso.url);
  await browser.signIn();
});
afterAll(() => sso.close());

const sign = (claims: object, header?: object): string => signer.sign(claims, header);

describe('a request object', () => {
  let signing: client.Configuration;
  beforeAll(async () => {
    signing = await discover(sso, 'signing', undefined, client.PrivateKeyJwt(signer.privateKey));
  });

  test('that is signed is taken, and its parameters alone', async () => {
    const { address, checks } = await requestOf(signing);
    const { searchParams } = new URL(address);
    const url = await client.buildAuthorizationUrlWithJAR(signing, searchParams, signer.privateKey);
    url.searchParams.set('redirect_uri', 'https://evil.example/');
    url.searchParams.set('state', 'x');
    const { headers } = await browser.open(url.href);
    const answer = new URL(headers.location ?? '');
    expect(answer.origin).toBe(ORIGIN);
    const tokens = await client.authorizationCodeGrant(signing, answer, checks);
    expect(tokens.claims()?.sub).toBe('casuser');
  });

  const requestFor = async (change: object): Promise<Record<string, unknown>> => {
    const { address } = await requestOf(signing);
    const parameters = Object.fromEntries(new URL(address).searchParams);
    return { ...parameters, iss: 'signing', aud: ISSUER, exp: inAMinute(), ...change };
  };

  test.each<[string, (claims: object) => string, object]>([
    ['without a signature', unsignedJwt, {}],
    ['of another client', sign, { client_id: 'web' }],
    ['that has ended', sign, { exp: inAMinute() - 600 }],
    ['for another server', sign, { aud: 'https://evil.example' }],
    ['signed with a secret', (claims) => sign(claims, { alg: 'HS256' }), {}],
    ['with another one inside', sign, { request: 'x' }],
    ['with a request_uri inside', sign, { request_uri: 'https://evil.example/' }],
  ])('%s is refused', async (_, make, change) => {
    const request = make(await requestFor(change));
    const { address } = await requestOf(signing, { request });
    const { headers, body } = await browser.open(address);
    expect(headers.location ?? body).toMatch(/error=invalid_request|invalid_request/);
    expect(headers.location ?? '').not.toContain('code=');
  });

  test.each(['https://evil.example/request.jwt', 'http://127.0.0.1:1/', 'urn:x'])(
    'is never fetched from %s',
    async (uri) => {
      const { address } = await requestOf(signing, { request_uri: uri });
      const { headers, body } = await browser.open(address);
      expect(headers.location ?? body).toMatch(/request_uri_not_supported|invalid_request_uri/);
    },
  );
});

describe('a pushed request', () => {
  let pushing: client.Configuration;
  beforeAll(async () => {
    pushing = await discover(sso, 'pushing');
  });

  const push = async (): Promise<URL> => {
    const { address } = await requestOf(pushing);
    return client.buildAuthorizationUrlWithPAR(pushing, new URL(address).searchParams);
  };

  test('is required where the client says so', async () => {
    const { address } = await requestOf(pushing);
    expect(answerIn(await browser.open(address)).error).toBe('invalid_request');
  });

  test('is answered once', async () => {
    const { href } = await push();
    expect(answerIn(await browser.open(href))).toHaveProperty('code');
    // Nothing of the request is known any more, so nobody is redirected.
    const again = await browser.open(href);
    expect(again.status).toBe(400);
    expect(again.body).toContain('invalid_request_uri');
  });

  test('is answered once over the login page too', async () => {
    browser = new CookieBrowser(sso.url);
    const { href } = await push();
    const page = await browser.open(href);
    const other = new CookieBrowser(sso.url);
    const second = await other.open(href);
    expect(answerIn(await browser.logIn(page))).toHaveProperty('code');
    expect(answerIn(await other.logIn(second)).error).toBe('invalid_request_uri');
  });

  test('of another client is refused', async () => {
    const url = await push();
    url.searchParams.set('client_id', 'web');
    const { headers, body } = await browser.open(url.href);
    expect(headers.location ?? '').not.toContain('code=');
    expect(headers.location ?? body).toContain('invalid_request');
  });

  test.each<[string, Record<string, string>]>([
    ['another redirect URI', { redirect_uri: 'https://evil.example/' }],
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['a request_uri', { request_uri: 'urn:x' }],
  ])('with %s is refused at once', async (_, change) => {
    const { address } = await requestOf(pushing, change);
    const form = Object.fromEntries(new URL(address).searchParams);
    const { status, body } = await http('POST', sso.url, '/oidc/par', { form });
    expect(status).toBe(400);
    expect(body).toMatch(/"error":"(invalid_re|request_uri_not_supported)/);
  });
});
