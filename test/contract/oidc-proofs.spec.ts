// Proofs of clients: secrets, signed assertions and DPoP; and what clients may do with tokens.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { CookieBrowser } from '../support/cookie-browser.js';
import { http, type Reply } from '../support/http.js';
import {
  discover,
  newSecret,
  oidcClient,
  REDIRECT_URI,
  startOidc,
  tokensOf,
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
let secret: string;
let server: client.Configuration;
let web: client.Configuration;

beforeAll(async () => {
  signer = await newSigningClient();
  const grantTypes = ['authorization_code', 'refresh_token'] as const;
  sso = await startOidc({
    // Many assertions are refused here.
    settings: ['--sso.throttle.login.enabled=false'],
    services: [
      oidcClient('web', { grantTypes }),
      oidcClient('server', {
        tokenEndpointAuthMethod: 'client_secret_basic',
        grantTypes: [...grantTypes, 'client_credentials'],
      }),
      oidcClient('signing', {
        tokenEndpointAuthMethod: 'private_key_jwt',
        jwks: signer.jwks,
      }),
      oidcClient('bound', { grantTypes, dpopRequired: true }),
    ],
  });
  secret = await newSecret(sso, 'server');
  server = await discover(sso, 'server', secret);
  web = await discover(sso, 'web');
});
beforeEach(async () => {
  browser = new CookieBrowser(sso.url);
  await browser.signIn();
});
afterAll(() => sso.close());

const post = (
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> => http('POST', sso.url, `/oidc${path}`, { form, headers });

const errorOf = ({ body }: Reply): unknown => (JSON.parse(body) as { error?: unknown }).error;

const basic = (id: string, given: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${id}:${given}`).toString('base64')}`,
});

const ownToken = { grant_type: 'client_credentials' };

describe('a secret', () => {
  test.each<[string, () => Promise<Reply>]>([
    ['wrong', () => post('/token', ownToken, basic('server', 'x'))],
    [
      'wrong, in the body',
      () => post('/token', { ...ownToken, client_id: 'server', client_secret: 'x' }),
    ],
    ['missing', () => post('/token', { ...ownToken, client_id: 'server' })],
    ['of another client', () => post('/token', ownToken, basic('signing', secret))],
    ['of an unknown client', () => post('/token', ownToken, basic('unknown', secret))],
    ['that the library has in its place', () => post('/token', ownToken, basic('server', '-'))],
  ])('%s is refused', async (_, call) => {
    const reply = await call();
    expect({ status: reply.status, error: errorOf(reply) }).toEqual({
      status: 401,
      error: 'invalid_client',
    });
    expect(reply.body).not.toContain(secret);
  });

  test('is taken by both methods, whichever is registered', async () => {
    const inHeader = await post('/token', ownToken, basic('server', secret));
    const inBody = await post('/token', {
      ...ownToken,
      client_id: 'server',
      client_secret: secret,
    });
    expect([inHeader.status, inBody.status]).toEqual([200, 200]);
  });

  test('by both methods at once is refused', async () => {
    const form = { ...ownToken, client_secret: secret };
    expect(errorOf(await post('/token', form, basic('server', secret)))).toBe('invalid_request');
  });
});

describe('tokens of a client itself', () => {
  test('have no user: userinfo refuses them', async () => {
    const { access_token: token } = await client.clientCredentialsGrant(server);
    const { status } = await http('GET', sso.url, '/oidc/userinfo', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(401);
    const found = await client.tokenIntrospection(server, token);
    expect(found).toMatchObject({ active: true, client_id: 'server' });
    expect(found).not.toHaveProperty('sub');
  });

  test('are refused to a client without the grant type', async () => {
    const reply = await post('/token', { ...ownToken, client_id: 'web' });
    expect(errorOf(reply)).toBe('invalid_request');
  });

  test('with a scope that the client may not ask for are refused', async () => {
    await expect(client.clientCredentialsGrant(server, { scope: 'phone' })).rejects.toMatchObject({
      error: 'invalid_scope',
    });
  });

  test.each(['password', 'urn:ietf:params:oauth:grant-type:token-exchange', 'x'])(
    'the grant type %s is not offered',
    async (type) => {
      const form = { grant_type: type, username: 'casuser', password: 'Mellon' };
      const reply = await post('/token', form, basic('server', secret));
      expect(errorOf(reply)).toBe('unsupported_grant_type');
    },
  );
});

describe('an assertion of a client', () => {
  const claims = (): Record<string, unknown> => ({
    iss: 'signing',
    sub: 'signing',
    aud: ISSUER,
    jti: randomUUID(),
    exp: inAMinute(),
  });

  const revokeWith = (assertion: string): Promise<Reply> =>
    post('/revoke', {
      token: 'x',
      client_id: 'signing',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    });

  test('is taken once', async () => {
    const assertion = signer.sign(claims());
    expect((await revokeWith(assertion)).status).toBe(200);
    expect(errorOf(await revokeWith(assertion))).toBe('invalid_client');
  });

  test('of ten at once, one is taken', async () => {
    const assertion = signer.sign(claims());
    const replies = await Promise.all(Array.from({ length: 10 }, () => revokeWith(assertion)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(401)]);
  });

  test.each<[string, () => string]>([
    ['without an id', () => signer.sign({ ...claims(), jti: undefined })],
    ['without an end', () => signer.sign({ ...claims(), exp: undefined })],
    ['that has ended', () => signer.sign({ ...claims(), exp: inAMinute() - 600 })],
    ['that ends in two days', () => signer.sign({ ...claims(), exp: inAMinute() + 2 * 86_400 })],
    ['that never ends', () => signer.sign({ ...claims(), exp: 1e300 })],
    ['for another server', () => signer.sign({ ...claims(), aud: 'https://evil.example' })],
    ['of another client', () => signer.sign({ ...claims(), iss: 'server' })],
    ['without a signature', () => unsignedJwt(claims())],
    ['signed with a secret', () => signer.sign(claims(), { alg: 'HS256' })],
    ['changed', () => signer.sign(claims()).replace(/\.[^.]*\./, `.${btoa('{}')}.`)],
  ])('%s is refused', async (_, assertion) => {
    const reply = await revokeWith(assertion());
    expect(reply.status).toBe(401);
    expect(errorOf(reply)).toBe('invalid_client');
  });
});

describe('DPoP', () => {
  let bound: client.Configuration;
  beforeAll(async () => {
    bound = await discover(sso, 'bound');
  });

  test('is required where the client says so', async () => {
    await expect(tokensOf(bound, browser)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('binds the token: without a proof, or with that of another key, it is none', async () => {
    const handle = client.getDPoPHandle(bound, await client.randomDPoPKeyPair());
    const tokens = await tokensOf(bound, browser, {}, { DPoP: handle });
    expect(tokens.token_type).toBe('dpop');
    const { access_token: token, refresh_token: refresh = '' } = tokens;
    const info = await client.fetchUserInfo(bound, token, 'casuser', { DPoP: handle });
    expect(info.sub).toBe('casuser');
    const other = client.getDPoPHandle(bound, await client.randomDPoPKeyPair());
    for (const options of [{}, { DPoP: other }]) {
      await expect(client.fetchUserInfo(bound, token, 'casuser', options)).rejects.toThrow();
      await expect(client.refreshTokenGrant(bound, refresh, {}, options)).rejects.toThrow();
    }
  });

  test('of ten calls at once with one proof, one is answered', async () => {
    const recording = await discover(sso, 'bound');
    const handle = client.getDPoPHandle(recording, await client.randomDPoPKeyPair());
    const { access_token: token } = await tokensOf(recording, browser, {}, { DPoP: handle });
    let proof = '';
    recording[client.customFetch] = (_url, options) => {
      proof = options.headers['dpop'] ?? '';
      return Promise.resolve(Response.json({ sub: 'casuser' }));
    };
    await client.fetchUserInfo(recording, token, 'casuser', { DPoP: handle });
    const headers = { authorization: `DPoP ${token}`, dpop: proof };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => http('GET', sso.url, '/oidc/userinfo', { headers })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(401)]);
  });
});

describe('tokens of another client', () => {
  test('are shown to a confidential client alone, and only by introspection', async () => {
    const { access_token: token, refresh_token: refresh = '' } = await tokensOf(web, browser);
    expect(await client.tokenIntrospection(server, token)).toMatchObject({ active: true });
    await expect(client.refreshTokenGrant(server, refresh)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('are not revoked; the own ones are, with all of the grant', async () => {
    const { access_token: token, refresh_token: refresh = '' } = await tokensOf(web, browser);
    for (const each of [token, refresh]) await client.tokenRevocation(server, each);
    expect(await client.tokenIntrospection(web, token)).toMatchObject({ active: true });
    await client.tokenRevocation(web, refresh);
    expect(await client.tokenIntrospection(web, token)).toEqual({ active: false });
    await expect(client.refreshTokenGrant(web, refresh)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test.each(['/introspect', '/revoke'])('%s refuses callers that are no client', async (path) => {
    expect(errorOf(await post(path, { token: 'x' }))).toBe('invalid_request');
    expect(errorOf(await post(path, { token: 'x', client_id: 'server' }))).toBe('invalid_client');
  });
});

describe('pages of other origins', () => {
  test('of the client read the answer, others do not', async () => {
    const { access_token: token } = await tokensOf(web, browser);
    const called = (origin: string): Promise<Reply> =>
      http('GET', sso.url, '/oidc/userinfo', {
        headers: { authorization: `Bearer ${token}`, origin },
      });
    const own = await called(ORIGIN);
    expect({ status: own.status, origin: own.headers['access-control-allow-origin'] }).toEqual({
      status: 200,
      origin: ORIGIN,
    });
    for (const origin of ['https://evil.example', 'null', `${ORIGIN}.evil.example`]) {
      const other = await called(origin);
      expect(other.status).toBe(400);
      expect(other.headers).not.toHaveProperty('access-control-allow-origin');
      expect(other.body).not.toContain('casuser');
    }
  });

  test('read discovery and keys, without credentials', async () => {
    for (const path of ['/.well-known/openid-configuration', '/jwks']) {
      const { status, headers } = await http('GET', sso.url, `/oidc${path}`, {
        headers: { origin: 'https://evil.example' },
      });
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });
});
