// Authorization requests: when the login page comes before the answer, and what the application is told.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { CookieBrowser } from '../support/cookie-browser.js';
import {
  answerIn,
  BOB,
  discover,
  oidcClient,
  REDIRECT_URI,
  requestOf,
  startOidc,
  tokensOf,
  TWO_USERS,
} from '../support/oidc-client.js';
import { http } from '../support/http.js';
import { query } from '../support/query.js';
import { BASE_URL, type Sso } from '../support/sso.js';

const MARKUP = '"><script>alert(1)</script>';
const HOUR = 3_600;

let sso: Sso;
let browser: CookieBrowser;
let config: client.Configuration;

beforeAll(async () => {
  sso = await startOidc({
    settings: [TWO_USERS],
    services: [
      oidcClient('web'),
      oidcClient('native', {
        applicationType: 'native',
        redirectUris: [REDIRECT_URI, 'com.example.app:/callback'],
      }),
      oidcClient('asking', {}, { ssoEnabled: false }),
      oidcClient('staff', {}, { requiredAttributes: { memberOf: ['nobody'] } }),
      oidcClient('disabled', {}, { enabled: false }),
    ],
  });
  config = await discover(sso, 'web');
});
beforeEach(() => {
  browser = new CookieBrowser(sso.url);
});
afterAll(() => sso.close());

async function signIn(fields?: Readonly<Record<string, string>>): Promise<void> {
  await browser.signIn(fields);
}

/** Moves the login of all sessions back. */
async function age(seconds: number): Promise<void> {
  await query(
    sso.database.url,
    `update ticket_granting_ticket
     set authenticated_at = authenticated_at - interval '${seconds} seconds'`,
  );
}

const now = (): number => Math.floor(Date.now() / 1_000);

describe('without a session', () => {
  test('prompt=none is refused with login_required, without a page', async () => {
    const { address, checks } = await requestOf(config, { prompt: 'none' });
    const { error, state, iss } = answerIn(await browser.open(address));
    expect(error).toBe('login_required');
    expect(state).toBe(checks.expectedState);
    expect(iss).toBe(`${BASE_URL}/oidc`);
    expect(browser.visited).toEqual([address]);
  });

  test('a session that has ended is none', async () => {
    await signIn();
    await query(sso.database.url, 'delete from ticket_granting_ticket');
    const { address } = await requestOf(config, { prompt: 'none' });
    expect(answerIn(await browser.open(address))).toMatchObject({ error: 'login_required' });
  });

  test('login_hint is the user name in the form, escaped', async () => {
    const { address } = await requestOf(config, { login_hint: `cas${MARKUP}` });
    const { body } = await browser.open(address);
    expect(body).toContain(
      'name="username" value="cas&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"',
    );
    expect(body).not.toContain('<script>alert');
  });

  test.each([
    ['de', 'de'],
    ['fr-CA fr en', 'fr'],
    ['xx de', 'de'],
    ['xx', 'en'],
    [MARKUP, 'en'],
  ])('the language of the page for ui_locales %j is %s', async (locales, shown) => {
    const { address } = await requestOf(config, { ui_locales: locales });
    const { status, headers, body } = await browser.open(address);
    expect({ status, language: headers['content-language'] }).toEqual({
      status: 200,
      language: shown,
    });
    expect(body).not.toContain('<script>alert');
  });
});

describe('with a session', () => {
  beforeEach(() => signIn());

  test.each([
    ['nothing', {}],
    ['prompt=none', { prompt: 'none' }],
    ['a max_age that is not over', { max_age: String(HOUR) }],
    ['acr_values, which nothing requires', { acr_values: 'urn:example:gold' }],
    ['ui_locales', { ui_locales: 'xx' }],
  ])('%s is answered at once', async (_, parameters) => {
    const { address } = await requestOf(config, parameters);
    expect(answerIn(await browser.open(address))).toHaveProperty('code');
    expect(browser.visited.filter((each) => each.includes('/login'))).toHaveLength(3);
  });

  test.each<[string, Record<string, string>, string]>([
    ['prompt=none with max_age', { prompt: 'none', max_age: '60' }, 'login_required'],
    ['prompt=none with max_age=0', { prompt: 'none', max_age: '0' }, 'login_required'],
    ['prompt=none and login', { prompt: 'none login' }, 'invalid_request'],
    ['an unknown prompt', { prompt: 'sudo' }, 'invalid_request'],
    ['a max_age that is no number', { max_age: 'x' }, 'invalid_request'],
    ['a negative max_age', { max_age: '-1' }, 'invalid_request'],
    ['a scope that the client may not ask for', { scope: 'openid phone' }, 'invalid_scope'],
    ['no scope (RFC 6749, section 3.3)', { scope: '', nonce: '' }, 'invalid_scope'],
    ['unknown scopes alone', { scope: 'nothing', nonce: '' }, 'invalid_scope'],
    ['an id_token_hint that is no token', { id_token_hint: 'x' }, 'invalid_request'],
    ['the claims of an application itself', { registration: '{}' }, 'registration_not_supported'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['the hybrid flow', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ])('%s is refused', async (_, parameters, error) => {
    await age(HOUR);
    const { address } = await requestOf(config, parameters);
    const { headers } = await browser.open(address);
    const { searchParams, hash } = new URL(headers.location ?? '');
    const told = searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error');
    expect(told).toBe(error);
  });

  test.each<[string, Record<string, string>]>([
    ['prompt=login', { prompt: 'login' }],
    ['max_age=0', { max_age: '0' }],
    ['a max_age that is over', { max_age: '60' }],
  ])('%s asks for credentials, and auth_time is new', async (_, parameters) => {
    await age(HOUR);
    const { address, checks } = await requestOf(config, parameters);
    const page = await browser.open(address);
    expect(page.body).toContain('name="password"');
    const { headers } = await browser.logIn(page);
    const answer = new URL(headers.location ?? '');
    const tokens = await client.authorizationCodeGrant(config, answer, checks);
    expect(Number(tokens.claims()?.auth_time)).toBeGreaterThan(now() - HOUR / 2);
  });

  test('prompt=login is not answered by the address that leads back from the login page', async () => {
    const { address } = await requestOf(config, { prompt: 'login' });
    await browser.open(address);
    const back = browser.visited.find((each) => each.includes('/oidc/interaction/')) ?? '';
    expect((await browser.open(back)).body).toContain('name="password"');
  });

  test('a client with ssoEnabled false asks for credentials, and prompt=none is refused', async () => {
    const asking = await discover(sso, 'asking');
    const { address } = await requestOf(asking);
    const page = await browser.open(address);
    expect(page.body).toContain('name="password"');
    expect(answerIn(await browser.logIn(page))).toHaveProperty('code');
    const silent = await requestOf(asking, { prompt: 'none' });
    expect(answerIn(await browser.open(silent.address)).error).toBe('login_required');
  });

  test('an id_token_hint of this user is answered at once', async () => {
    const { id_token: hint = '' } = await tokensOf(config, browser);
    const { address } = await requestOf(config, { id_token_hint: hint, prompt: 'none' });
    expect(answerIn(await browser.open(address))).toHaveProperty('code');
  });

  test('an id_token_hint of another user is never answered for this one', async () => {
    const { id_token: hint = '' } = await tokensOf(config, browser);
    browser = new CookieBrowser(sso.url);
    await signIn(BOB);
    const silent = await requestOf(config, { id_token_hint: hint, prompt: 'none' });
    expect(answerIn(await browser.open(silent.address)).error).toBe('login_required');
    const { address } = await requestOf(config, { id_token_hint: hint });
    const page = await browser.open(address);
    expect(page.body).toContain('name="password"');
    expect(answerIn(await browser.logIn(page, BOB)).error).toBe('login_required');
  });

  test('an id_token_hint is answered for its user, once he has signed in', async () => {
    const { id_token: hint = '' } = await tokensOf(config, browser);
    browser = new CookieBrowser(sso.url);
    const { address } = await requestOf(config, { id_token_hint: hint });
    const page = await browser.open(address);
    expect(answerIn(await browser.logIn(page))).toHaveProperty('code');
  });

  test('a user without a required attribute: the application is told access_denied', async () => {
    const staff = await discover(sso, 'staff');
    for (const parameters of [{}, { prompt: 'none' }]) {
      const { address, checks } = await requestOf(staff, parameters);
      const answer = answerIn(await browser.open(address));
      expect(answer).toMatchObject({ error: 'access_denied', state: checks.expectedState });
      expect(answer).not.toHaveProperty('code');
    }
  });

  test.each(['disabled', 'unknown'])('the client %s gets a page, no answer', async (clientId) => {
    const { address } = await requestOf(config, { client_id: clientId });
    const { status, headers, body } = await browser.open(address);
    expect({ status, location: headers.location }).toEqual({ status: 400, location: undefined });
    expect(body).toContain('invalid_client');
  });
});

describe('a request by a form', () => {
  /** As a browser sends it from another site: without our cookies. @returns where it goes on to */
  async function sent(parameters: URLSearchParams): Promise<string> {
    const form = Object.fromEntries(parameters);
    const { status, headers } = await http('POST', sso.url, '/oidc/authorize', { form });
    expect(status).toBe(303);
    return new URL(headers.location ?? '', BASE_URL).href;
  }

  test('is answered as one by a link', async () => {
    await signIn();
    const state = 'a&b=\u00fc+%0d';
    const { address, checks } = await requestOf(config, { state });
    const next = await sent(new URL(address).searchParams);
    const { headers } = await browser.open(next);
    const answer = new URL(headers.location ?? '');
    const expected = { ...checks, expectedState: state };
    const tokens = await client.authorizationCodeGrant(config, answer, expected);
    expect(tokens.claims()?.sub).toBe('casuser');
  });

  test('without a client gets a page', async () => {
    const { status, body } = await browser.open(await sent(new URLSearchParams({ scope: 'x' })));
    expect(status).toBe(400);
    expect(body).toContain('client_id');
  });

  test.each(['/oidc/Authorize', '/oidc/authorize/'])('has no other path: %s', async (path) => {
    expect((await http('POST', sso.url, path, { form: {} })).status).toBe(404);
  });
});

describe('a user who wants to be asked', () => {
  beforeEach(() => signIn({ username: 'casuser', password: 'Mellon', warn: 'true' }));

  test('confirms the sign-in', async () => {
    const { address } = await requestOf(config);
    const page = await browser.open(address);
    expect(page.body).not.toContain('name="password"');
    expect(page.body).toContain('web');
    expect(answerIn(await browser.logIn(page, {}))).toHaveProperty('code');
  });

  test('prompt=none is refused with interaction_required', async () => {
    const { address } = await requestOf(config, { prompt: 'none' });
    expect(answerIn(await browser.open(address)).error).toBe('interaction_required');
  });
});

describe('a page reads answers of the token endpoint', () => {
  test.each([
    ['of its client', 'https://client.example.org', 'https://client.example.org'],
    ['of another client', 'https://evil.example', undefined],
    ['without an origin', 'null', undefined],
  ])('%s: %s', async (_, origin, allowed) => {
    const form = { client_id: 'native', grant_type: 'authorization_code', code: 'x' };
    const { headers } = await http('POST', sso.url, '/oidc/token', { form, headers: { origin } });
    expect(headers['access-control-allow-origin']).toBe(allowed);
  });
});
