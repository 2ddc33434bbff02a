// The dry run of authorization requests says what the authorization endpoint does.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import type { NewService } from '@tessera/services';
import { CookieBrowser } from '../support/cookie-browser.js';
import type { Reply } from '../support/http.js';
import {
  discover,
  OIDC_SETTINGS,
  oidcClient,
  REDIRECT_URI,
  requestOf,
} from '../support/oidc-client.js';
import { type OperatorApi, startOperatorApi } from '../support/operator-api.js';
import { BASE_URL } from '../support/sso.js';

const USER = 'nobody';
const OTHER_URI = 'https://client.example.org/other';
const SCOPES = ['openid', 'profile', 'groups', 'offline_access'];
const RELEASES = { attributeRelease: { kind: 'all' } } as const;

const CLIENTS: readonly NewService[] = [
  oidcClient(
    'web',
    { scopes: SCOPES, grantTypes: ['authorization_code', 'refresh_token'] },
    RELEASES,
  ),
  oidcClient('two', { redirectUris: [REDIRECT_URI, OTHER_URI], scopes: SCOPES }, RELEASES),
  oidcClient('in-token', { scopes: SCOPES, claimsInIdToken: true }, RELEASES),
  oidcClient('pseudonym', { scopes: SCOPES }, { usernameAttribute: { kind: 'anonymous' } }),
  oidcClient('staff', { scopes: SCOPES }, { requiredAttributes: { memberOf: ['admin'] } }),
  oidcClient('no-guests', { scopes: SCOPES }, { rejectedAttributes: { memberOf: ['staff'] } }),
  oidcClient(
    'named',
    { scopes: SCOPES },
    { usernameAttribute: { kind: 'attribute', name: 'uid' } },
  ),
  oidcClient('fresh', { scopes: SCOPES }, { ssoEnabled: false }),
  oidcClient('agreed', { scopes: SCOPES, consent: 'always' }),
  oidcClient('off', {}, { enabled: false }),
  oidcClient('pushed', { parRequired: true }),
  oidcClient('unscoped', { scopes: ['unknown'] }),
  oidcClient('lax', { pkceRequired: false, tokenEndpointAuthMethod: 'client_secret_basic' }),
  oidcClient('device', {
    redirectUris: [],
    grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
  }),
  oidcClient('native', {
    applicationType: 'native',
    redirectUris: ['http://127.0.0.1/cb', 'http://[::1]:1/cb', 'org.example.app:/cb'],
  }),
];

let api: OperatorApi;
let config: client.Configuration;

beforeAll(async () => {
  api = await startOperatorApi(OIDC_SETTINGS);
  config = await discover(api.sso, 'web');
  for (const each of CLIENTS) {
    const { status, body } = await api.call('POST', '/api/v1/services', each);
    expect([status, body]).toEqual([201, expect.any(String)]);
  }
  // The dry run takes the attributes of the last session.
  await signedIn();
});
afterAll(() => api.close());

interface Answer {
  readonly decision: string;
  readonly reason: string | null;
  readonly detail: string;
  readonly released: { readonly user: string | null } | null;
  readonly authorization: {
    readonly violations: readonly { readonly parameter: string; readonly reason: string }[];
    readonly redirectUri: string | null;
    readonly error: string | null;
    readonly scopes: readonly string[];
    readonly login: string;
    readonly claims: { readonly idToken: object; readonly userinfo: object } | null;
  } | null;
}

async function dryRun(url: string, fields: object = {}): Promise<Answer> {
  const body = { url, user: USER, ...fields };
  const reply = await api.call('POST', '/api/v1/services/dry-run', body);
  expect([reply.status, reply.body]).toEqual([200, expect.any(String)]);
  return JSON.parse(reply.body) as Answer;
}

/** A browser with a session of the user. */
async function signedIn(): Promise<CookieBrowser> {
  const browser = new CookieBrowser(api.sso.url);
  await logIn(browser, await browser.open(`${BASE_URL}/login`));
  return browser;
}

function logIn(browser: CookieBrowser, page: Reply): Promise<Reply> {
  return browser.logIn(page, { username: USER, password: 'Mellon' });
}

/** What the browser and the application get, in the words of the dry run. */
interface Outcome {
  readonly login?: 'always' | 'without-session';
  readonly consent?: 'always' | 'never';
  readonly redirectUri: string | null;
  readonly error: string | null;
}

async function outcomeOf(address: string): Promise<Outcome> {
  const browser = await signedIn();
  const opened = await browser.open(address);
  const isAsked = opened.body.includes('name="password"');
  const next = isAsked ? await logIn(browser, opened) : opened;
  const login = isAsked ? 'always' : 'without-session';
  const mustAgree = next.body.includes('value="allow"');
  const consent = mustAgree ? 'always' : 'never';
  const answer = mustAgree ? await browser.logIn(next, { _eventId: 'allow' }) : next;
  const { location } = answer.headers;
  if (location === undefined) {
    expect(answer.status).toBe(400);
    const [, error = 'no error'] = /\b(\w+): [^<]*</.exec(answer.body) ?? [];
    return { redirectUri: null, error };
  }
  const [redirectUri = ''] = location.split(/[?#]/);
  const told = new URLSearchParams(location.slice(redirectUri.length + 1));
  expect(told.has('code')).toBe(!told.has('error'));
  const error = told.get('error');
  return { redirectUri, error, ...(error === null && { login, consent }) };
}

type Parameters = Readonly<Record<string, string | undefined>>;

/** @param changes of an accepted request; undefined leaves a parameter out */
async function addressOf(changes: Parameters, tail = ''): Promise<string> {
  const { address } = await requestOf(config, { scope: 'openid profile groups' });
  const url = new URL(address);
  const { path = 'authorize', ...parameters } = changes;
  url.pathname = `/cas/oidc/${path}`;
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return `${url.href}${tail}`;
}

const accepted: readonly (readonly [string, Parameters])[] = [
  ['all that it may ask for', {}],
  ['a client with claims in the ID token', { client_id: 'in-token' }],
  ['another redirect URI', { client_id: 'two', redirect_uri: OTHER_URI }],
  [
    'a loopback port',
    { client_id: 'native', redirect_uri: 'http://127.0.0.1:5/cb', scope: 'openid' },
  ],
  [
    'a loopback IPv6 port',
    { client_id: 'native', redirect_uri: 'http://[::1]/cb', scope: 'openid' },
  ],
  [
    'a scheme of its own',
    { client_id: 'native', redirect_uri: 'org.example.app:/cb', scope: 'openid' },
  ],
  ['an unknown scope', { scope: 'openid nothing' }],
  ['offline access', { scope: 'openid offline_access', prompt: 'consent' }],
  ['offline access without consent', { scope: 'openid offline_access' }],
  ['no PKCE, of a client that does not need it', noPkce({ client_id: 'lax', scope: 'openid' })],
  ['a fragment', { response_mode: 'fragment' }],
  ['a new login', { prompt: 'login' }],
  ['a login that is over', { max_age: '0' }],
  ['a login of an hour', { max_age: '3600' }],
  ['no page', { prompt: 'none' }],
  ['a client without single sign-on', { client_id: 'fresh' }],
  ['an empty parameter', { response_mode: '' }],
  ['a client whose users agree each time', { client_id: 'agreed' }],
  ['the path of Apereo CAS', { path: 'oidcAuthorize' }],
];

function noPkce(changes: Parameters): Parameters {
  return { ...changes, code_challenge: undefined, code_challenge_method: undefined };
}

const refused: readonly (readonly [string, Parameters, string, string?])[] = [
  ['an unknown client', { client_id: 'x' }, 'CLIENT_NOT_REGISTERED'],
  ['another case of a client id', { client_id: 'WEB' }, 'CLIENT_NOT_REGISTERED'],
  ['no client', { client_id: undefined }, 'CLIENT_NOT_REGISTERED'],
  ['a disabled client', { client_id: 'off' }, 'SERVICE_DISABLED'],
  [
    'a redirect URI that is not registered',
    { redirect_uri: `${REDIRECT_URI}/` },
    'REQUEST_INVALID',
  ],
  ['a loopback port of a web client', { redirect_uri: 'http://127.0.0.1:5/cb' }, 'REQUEST_INVALID'],
  [
    'another loopback path',
    { client_id: 'native', redirect_uri: 'http://127.0.0.1:5/x', scope: 'openid' },
    'REQUEST_INVALID',
  ],
  ['no redirect URI', { redirect_uri: undefined }, 'REQUEST_INVALID'],
  ['a client without codes', { client_id: 'device', scope: 'openid' }, 'REQUEST_INVALID'],
  ['no response type', { response_type: undefined }, 'REQUEST_INVALID'],
  ['an implicit flow', { response_type: 'id_token', response_mode: 'fragment' }, 'REQUEST_INVALID'],
  ['an unknown response mode', { response_mode: 'jwt' }, 'REQUEST_INVALID'],
  ['a scope of others', { scope: 'openid email' }, 'REQUEST_INVALID'],
  ['scopes with two spaces', { scope: 'openid  profile' }, 'REQUEST_INVALID'],
  ['a nonce without openid', { scope: 'profile' }, 'REQUEST_INVALID'],
  ['a client without a scope of this server', { client_id: 'unscoped' }, 'REQUEST_INVALID'],
  ['no scope', { scope: undefined, nonce: undefined }, 'REQUEST_INVALID'],
  ['unknown scopes alone', { scope: 'nothing', nonce: undefined }, 'REQUEST_INVALID'],
  ['no PKCE', noPkce({}), 'REQUEST_INVALID'],
  ['a plain challenge', { code_challenge_method: 'plain' }, 'REQUEST_INVALID'],
  ['a challenge without its method', { code_challenge_method: undefined }, 'REQUEST_INVALID'],
  ['a method without its challenge', { code_challenge: undefined }, 'REQUEST_INVALID'],
  ['a short challenge', { code_challenge: 'x' }, 'REQUEST_INVALID'],
  ['an unknown prompt', { prompt: 'create' }, 'REQUEST_INVALID'],
  ['a long state', { state: 'x'.repeat(2_001) }, 'REQUEST_INVALID'],
  ['a line break', { login_hint: 'a\nb' }, 'REQUEST_INVALID'],
  ['none beside login', { prompt: 'none login' }, 'REQUEST_INVALID'],
  [
    'no page, of a client without single sign-on',
    { client_id: 'fresh', prompt: 'none' },
    'REQUEST_INVALID',
  ],
  ['no page, of users who must agree', { client_id: 'agreed', prompt: 'none' }, 'REQUEST_INVALID'],
  ['an age that is no number', { max_age: 'x' }, 'REQUEST_INVALID'],
  ['a negative age', { max_age: '-1' }, 'REQUEST_INVALID'],
  ['a registration', { registration: '{}' }, 'REQUEST_INVALID'],
  ['a request that is not pushed', { client_id: 'pushed', scope: 'openid' }, 'REQUEST_INVALID'],
  ['a repeated client id', {}, 'REQUEST_INVALID', '&client_id=web'],
  [
    'a repeated redirect URI',
    {},
    'REQUEST_INVALID',
    `&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`,
  ],
  ['a repeated state', {}, 'REQUEST_INVALID', '&state=x'],
  [
    'two faults, one of the redirect URI',
    noPkce({ redirect_uri: 'https://x/' }),
    'REQUEST_INVALID',
  ],
  ['a required attribute', { client_id: 'staff' }, 'ATTRIBUTES_MISSING'],
  ['no attribute of the user name', { client_id: 'named' }, 'ATTRIBUTES_MISSING'],
  ['a rejected attribute', { client_id: 'no-guests' }, 'ATTRIBUTES_REJECTED'],
];

describe('the dry run and the endpoint agree', () => {
  test.each(accepted)('to accept %s', async (_what, changes) => {
    const address = await addressOf(changes);
    const { decision, reason, authorization } = await dryRun(address);
    expect([decision, reason]).toEqual(['allowed', null]);
    expect(authorization).toMatchObject({ ...(await outcomeOf(address)), violations: [] });
  });

  test.each(refused)('to refuse %s', async (_what, changes, reason, tail = '') => {
    const address = await addressOf(changes, tail);
    const answer = await dryRun(address);
    expect(answer).toMatchObject({ decision: 'refused', reason, released: null });
    expect(answer.authorization).toMatchObject({ ...(await outcomeOf(address)), claims: null });
    expect(answer.authorization?.error).not.toBeNull();
  });
});

describe('what the client is told', () => {
  test.each([
    ['web', 'openid'],
    ['web', 'openid profile groups'],
    ['in-token', 'openid groups'],
    ['two', 'openid profile nothing'],
    ['pseudonym', 'openid profile'],
  ])('of %s for %s', async (clientId, scope) => {
    const own = await discover(api.sso, clientId);
    const { address, checks } = await requestOf(own, { scope });
    const { authorization, released } = await dryRun(address);
    const { headers } = await (await signedIn()).open(address);
    const answer = new URL(headers.location ?? '');
    const tokens = await client.authorizationCodeGrant(own, answer, checks);
    const { sub = '', ...idToken } = tokens.claims() ?? {};
    const userinfo = await client.fetchUserInfo(own, tokens.access_token, sub);
    const shown = clientId === 'pseudonym' ? {} : { sub };
    expect(released?.user).toBe(clientId === 'pseudonym' ? null : sub);
    expect(authorization?.scopes.join(' ')).toBe(tokens.scope);
    expect(authorization?.claims?.userinfo).toEqual({ ...userinfo, sub: undefined, ...shown });
    expect({ ...idToken, ...shown }).toMatchObject(authorization?.claims?.idToken ?? {});
    expect(Object.keys(authorization?.claims?.idToken ?? {}).includes('groups')).toBe(
      'groups' in idToken,
    );
  });
});

describe('a dry run', () => {
  test('gives every reason, and the nearest redirect URIs', async () => {
    const changes = { client_id: 'two', redirect_uri: `${OTHER_URI}/`, scope: 'openid email' };
    const { detail, authorization } = await dryRun(await addressOf(noPkce(changes)));
    expect(authorization?.violations).toEqual([
      {
        parameter: 'scope',
        reason: 'has email: the client may ask for openid profile groups offline_access',
      },
      {
        parameter: 'redirect_uri',
        reason: `is not registered character by character; registered, the nearest first: ${OTHER_URI}, ${REDIRECT_URI}`,
      },
      {
        parameter: 'code_challenge',
        reason: 'is missing: this client needs PKCE (pkceRequired)',
      },
    ]);
    expect(detail).toContain('scope has email');
    expect(detail).toContain('needs PKCE');
  });

  test('takes a client that is not stored, in place of another', async () => {
    const definition = oidcClient('draft', { scopes: ['openid'] });
    const address = await addressOf({ client_id: 'draft', scope: 'openid' });
    expect(await dryRun(address)).toMatchObject({ reason: 'CLIENT_NOT_REGISTERED' });
    const drafted = await dryRun(address, { definition });
    expect(drafted).toMatchObject({ decision: 'allowed', matches: [{ id: null, isDraft: true }] });
    const listed = await api.call('GET', '/api/v1/services?text=web');
    const { items } = JSON.parse(listed.body) as { readonly items: readonly { id: string }[] };
    const replaced = await dryRun(await addressOf({}), { definition, replaces: items[0]?.id });
    expect(replaced).toMatchObject({ reason: 'CLIENT_NOT_REGISTERED', matches: [] });
  });

  test('stores nothing, and makes no token', async () => {
    const counts = () =>
      api.sso.database.dataSource.query<unknown>(
        `select (select count(*) from oidc_grant) grants, (select count(*) from oidc_token) tokens,
           (select count(*) from oidc_request) requests`,
      );
    const before = await counts();
    expect(await dryRun(await addressOf({}))).toMatchObject({ decision: 'allowed' });
    expect(await counts()).toEqual(before);
  });

  test('without a user tells of the request alone', async () => {
    const answer = await dryRun(await addressOf({ client_id: 'staff' }), { user: undefined });
    expect(answer).toMatchObject({ decision: 'allowed', released: null });
    expect(answer.authorization?.claims).toBeNull();
  });

  test.each(['request', 'request_uri', 'id_token_hint'])('does not read %s', async (name) => {
    const url = await addressOf({ [name]: 'x' });
    const reply = await api.call('POST', '/api/v1/services/dry-run', { url });
    expect([reply.status, reply.body]).toEqual([400, expect.stringContaining(name)]);
  });
});

test('without module oidc, the dry run says so', async () => {
  const other = await startOperatorApi();
  try {
    const body = { url: `${BASE_URL}/oidc/authorize?client_id=web` };
    const reply = await other.call('POST', '/api/v1/services/dry-run', body);
    expect(JSON.parse(reply.body)).toMatchObject({
      decision: 'refused',
      reason: 'OIDC_OFF',
      authorization: null,
    });
  } finally {
    await other.close();
  }
});
