// Where the answer to an authorization request goes, and who can use it: redirect URIs, PKCE, state and issuer.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { CookieBrowser } from '../support/cookie-browser.js';
import { http, type Reply } from '../support/http.js';
import {
  answerIn,
  discover,
  oidcClient,
  REDIRECT_URI,
  requestOf,
  startOidc,
  tokensOf,
} from '../support/oidc-client.js';
import { BASE_URL, type Sso } from '../support/sso.js';

const OTHER_URI = 'https://other.example.org/callback';
const LOOPBACK = 'http://127.0.0.1/callback';
const PRIVATE_USE = 'com.example.app:/callback';

let sso: Sso;
let browser: CookieBrowser;
let config: client.Configuration;

beforeAll(async () => {
  sso = await startOidc({
    services: [
      oidcClient('web'),
      oidcClient('other', { redirectUris: [OTHER_URI] }),
      oidcClient('two', { redirectUris: [REDIRECT_URI, OTHER_URI] }),
      oidcClient('app', {
        applicationType: 'native',
        consent: 'never',
        redirectUris: [LOOPBACK, PRIVATE_USE, 'https://app.example.org/callback'],
      }),
      oidcClient('legacy', {
        tokenEndpointAuthMethod: 'client_secret_basic',
        pkceRequired: false,
      }),
    ],
  });
  config = await discover(sso, 'web');
});
beforeEach(async () => {
  browser = new CookieBrowser(sso.url);
  await browser.signIn();
});
afterAll(() => sso.close());

/** The browser stays: the page is no redirect. */
function expectPage({ status, headers, body }: Reply, error: string): void {
  expect({ status, location: headers.location }).toEqual({ status: 400, location: undefined });
  expect(body).toContain(error);
}

describe('a redirect URI that is not the registered one gets a page', () => {
  test.each<[string, string]>([
    ['of another client', OTHER_URI],
    ['of another host', 'https://evil.example/callback'],
    ['of a host below', 'https://client.example.org.evil.example/callback'],
    ['of a user at another host', 'https://client.example.org@evil.example/callback'],
    ['with a user', 'https://x@client.example.org/callback'],
    ['with a backslash', 'https://evil.example\\@client.example.org/callback'],
    ['with another port', 'https://client.example.org:8443/callback'],
    ['with the port of the scheme', 'https://client.example.org:443/callback'],
    ['without TLS', 'http://client.example.org/callback'],
    ['with capitals', 'https://CLIENT.example.org/callback'],
    ['with a path above', 'https://client.example.org/callback/../evil'],
    ['with an encoded path above', 'https://client.example.org/callback/%2e%2e/evil'],
    ['with a longer path', 'https://client.example.org/callback/evil'],
    ['with a trailing slash', 'https://client.example.org/callback/'],
    ['with an encoded letter', 'https://client.example.org/%63allback'],
    ['with a query', 'https://client.example.org/callback?x=1'],
    ['with a fragment', 'https://client.example.org/callback#x'],
    ['with a line break', 'https://client.example.org/callback\r\nx: y'],
    ['of a script', 'javascript:alert(1)'],
    ['without a host', '//evil.example/callback'],
  ])('%s', async (_, uri) => {
    const { address } = await requestOf(config, { redirect_uri: uri });
    const reply = await browser.open(address);
    expect(reply.headers.location).toBeUndefined();
    expect(reply.status).toBe(400);
  });

  test('also where the request has another fault', async () => {
    const { address } = await requestOf(config, { redirect_uri: OTHER_URI, prompt: 'sudo' });
    expectPage(await browser.open(address), 'invalid_redirect_uri');
  });

  // Origin: OpenID Connect Core 1.0, section 3.1.2.1.
  test.each(['web', 'two'])('absent, also where the client %s has one alone', async (clientId) => {
    const { address } = await requestOf(config, { client_id: clientId });
    const url = new URL(address);
    url.searchParams.delete('redirect_uri');
    expectPage(await browser.open(url.href), 'invalid_request');
  });
});

describe('a parameter that is there twice', () => {
  test.each(['redirect_uri', 'client_id', 'code_challenge', 'state', 'scope', 'response_type'])(
    '%s is refused without a code',
    async (name) => {
      const { address } = await requestOf(config, { state: 'x' });
      const { searchParams } = new URL(address);
      const twice = `${address}&${name}=${encodeURIComponent(searchParams.get(name) ?? '')}`;
      const { status, headers, body } = await browser.open(twice);
      expect(headers.location ?? '').not.toContain('code=');
      expect(status === 400 ? body : headers.location).toContain('invalid_request');
    },
  );

  test('a second redirect_uri is no way to another host', async () => {
    const { address } = await requestOf(config);
    const evil = `redirect_uri=${encodeURIComponent('https://evil.example/')}`;
    for (const twice of [`${address}&${evil}`, address.replace('?', `?${evil}&`)]) {
      expectPage(await browser.open(twice), 'invalid_request');
    }
  });
});

describe('a native application', () => {
  test.each<[string, string]>([
    ['its loopback URI', LOOPBACK],
    ['it with a port', 'http://127.0.0.1:49152/callback'],
    ['it with another port', 'http://127.0.0.1:8080/callback'],
    ['its private-use scheme', PRIVATE_USE],
  ])('gets its answer: %s', async (_, uri) => {
    const app = await discover(sso, 'app');
    const { address } = await requestOf(app, { redirect_uri: uri });
    const { headers } = await browser.open(address);
    expect(headers.location?.split('code=')[0]).toBe(`${uri}?`);
  });

  test.each<[string, string]>([
    ['the loopback address of another family', 'http://[::1]:8080/callback'],
    ['localhost', 'http://localhost:8080/callback'],
    ['another path', 'http://127.0.0.1:8080/evil'],
    ['another host', 'http://127.0.0.1.evil.example:8080/callback'],
    ['a user at another host', 'http://127.0.0.1:8080@evil.example/callback'],
    ['TLS', 'https://127.0.0.1:8080/callback'],
    ['a port of another URI', 'https://app.example.org:8080/callback'],
    ['another private-use scheme', 'com.example.other:/callback'],
  ])('gets a page for %s', async (_, uri) => {
    const app = await discover(sso, 'app');
    const { address } = await requestOf(app, { redirect_uri: uri });
    expectPage(await browser.open(address), 'invalid_redirect_uri');
  });
});

describe('PKCE', () => {
  test.each<[string, Record<string, string>]>([
    ['missing', { code_challenge: '', code_challenge_method: '' }],
    ['plain', { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }],
    ['without a method, which is plain', { code_challenge_method: '' }],
    ['of an unknown method', { code_challenge_method: 'S512' }],
    ['too short', { code_challenge: 'abc' }],
  ])('%s is refused', async (_, parameters) => {
    const { address } = await requestOf(config, parameters);
    const answer = answerIn(await browser.open(address));
    expect(answer).toMatchObject({ error: 'invalid_request', iss: `${BASE_URL}/oidc` });
    expect(answer).not.toHaveProperty('code');
  });

  test.each<[string, string | undefined]>([
    ['a wrong verifier', 'a'.repeat(43)],
    ['no verifier', undefined],
    ['the challenge as the verifier', 'challenge'],
  ])('%s gets no tokens', async (_, verifier) => {
    const { address } = await requestOf(config);
    const challenge = new URL(address).searchParams.get('code_challenge') ?? '';
    const { code = '' } = answerIn(await browser.open(address));
    const { status, body } = await redeem({
      code,
      ...(verifier !== undefined && {
        code_verifier: verifier === 'challenge' ? challenge : verifier,
      }),
    });
    expect({ status, error: JSON.parse(body).error }).toEqual({
      status: 400,
      error: 'invalid_grant',
    });
  });

  test('a verifier for a code without a challenge is refused: a downgrade', async () => {
    const legacy = await discover(sso, 'legacy');
    const { address } = await requestOf(legacy, { code_challenge: '', code_challenge_method: '' });
    const { code = '' } = answerIn(await browser.open(address));
    const { status } = await redeem({ code, code_verifier: 'a'.repeat(43) });
    expect(status).toBe(400);
  });
});

describe('a code', () => {
  test.each<[string, Record<string, string>, string]>([
    ['by another client', { client_id: 'other', redirect_uri: OTHER_URI }, 'invalid_grant'],
    ['with another redirect URI', { redirect_uri: OTHER_URI }, 'invalid_grant'],
    ['by an unknown client', { client_id: 'unknown' }, 'invalid_client'],
    ['that is none', { code: 'x' }, 'invalid_grant'],
  ])('%s is not redeemed', async (_, fields, error) => {
    const { address, checks } = await requestOf(config);
    const { code = '' } = answerIn(await browser.open(address));
    const verifier = String(checks.pkceCodeVerifier);
    const { body } = await redeem({ code, code_verifier: verifier, ...fields });
    expect(JSON.parse(body).error).toBe(error);
  });

  test('used twice ends the tokens of the first use', async () => {
    const { address, checks } = await requestOf(config);
    const { headers } = await browser.open(address);
    const answer = new URL(headers.location ?? '');
    const { access_token: token } = await client.authorizationCodeGrant(config, answer, checks);
    await expect(client.authorizationCodeGrant(config, answer, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(client.fetchUserInfo(config, token, 'casuser')).rejects.toMatchObject({
      status: 401,
    });
  });
});

describe('the answer', () => {
  test('has the state and the issuer, which the client checks', async () => {
    const { address, checks } = await requestOf(config);
    const { headers } = await browser.open(address);
    const answer = new URL(headers.location ?? '');
    for (const [name, value] of [
      ['state', 'x'],
      ['iss', 'https://evil.example'],
    ] as const) {
      const changed = new URL(answer);
      changed.searchParams.set(name, value);
      await expect(client.authorizationCodeGrant(config, changed, checks)).rejects.toThrow();
    }
    expect(answer.searchParams.get('iss')).toBe(`${BASE_URL}/oidc`);
    expect(config.serverMetadata().authorization_response_iss_parameter_supported).toBe(true);
    const tokens = await client.authorizationCodeGrant(config, answer, checks);
    expect(tokens.claims()?.nonce).toBe(checks.expectedNonce);
  });

  test('in the mode query is a redirect, in form_post a form', async () => {
    const inQuery = await requestOf(config, { response_mode: 'query' });
    expect(answerIn(await browser.open(inQuery.address))).toHaveProperty('code');
    const { address, checks } = await requestOf(config, { response_mode: 'form_post' });
    const { status, headers, body } = await browser.open(address);
    expect({ status, location: headers.location }).toEqual({ status: 200, location: undefined });
    expect(body).toContain(`action="${REDIRECT_URI}"`);
    const fields = [...body.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value] as [string, string],
    );
    const answer = new URL(`${REDIRECT_URI}?${new URLSearchParams(fields).toString()}`);
    const tokens = await client.authorizationCodeGrant(config, answer, checks);
    expect(tokens.claims()?.sub).toBe('casuser');
  });

  test('in the mode form_post escapes the state', async () => {
    const markup = '"><script>alert(1)</script>';
    const { address } = await requestOf(config, { response_mode: 'form_post', state: markup });
    const { body } = await browser.open(address);
    expect(body).not.toContain('<script>alert(1)');
  });

  test.each(['web_message', 'jwt', 'x'])('in the mode %s is an error', async (mode) => {
    const { address } = await requestOf(config, { response_mode: mode });
    expect(answerIn(await browser.open(address))).toMatchObject({
      error: 'unsupported_response_mode',
    });
  });
});

test('tokens of one client say nothing to another', async () => {
  const { access_token: token } = await tokensOf(config, browser);
  const other = await discover(sso, 'other');
  expect(await client.tokenIntrospection(other, token)).toEqual({ active: false });
});

function redeem(fields: Readonly<Record<string, string>>): Promise<Reply> {
  return http('POST', sso.url, '/oidc/token', {
    form: {
      grant_type: 'authorization_code',
      client_id: 'web',
      redirect_uri: REDIRECT_URI,
      ...fields,
    },
  });
}
