// Attacks with tokens: in the place of another, after their client or user has lost its rights, and by clients that are forged.
import { createHmac, createPublicKey, type JsonWebKey, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { AccountStore } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { type NewService, ServiceStore } from '@tessera/services';
import { CookieBrowser } from '../support/cookie-browser.js';
import { http, type Reply } from '../support/http.js';
import {
  answerIn,
  discover,
  newSecret,
  oidcClient,
  requestOf,
  startOidc,
  tokensOf,
} from '../support/oidc-client.js';
import { query } from '../support/query.js';
import {
  inAMinute,
  newSigningClient,
  type SigningClient,
  unsignedJwt,
} from '../support/signing-client.js';
import { BASE_URL, type Sso } from '../support/sso.js';

const ISSUER = `${BASE_URL}/oidc`;
const JANE = { username: 'jane', password: 'Mellon' };
const CHEAP = { memory: 8, iterations: 1, parallelism: 1 };

type Tokens = client.TokenEndpointResponse & client.TokenEndpointResponseHelpers;

let sso: Sso;
let signer: SigningClient;
let secret: string;
let web: client.Configuration;
let browser: CookieBrowser;
let accounts: AccountStore;

beforeAll(async () => {
  signer = await newSigningClient();
  const grantTypes = ['authorization_code', 'refresh_token'] as const;
  const mail = { kind: 'attribute', name: 'mail' } as const;
  sso = await startOidc({
    settings: [
      '--sso.authentication.handlers=accounts',
      '--sso.authentication.accounts.argon2.memory=8',
      '--sso.authentication.accounts.argon2.iterations=1',
      '--sso.throttle.login.enabled=false',
    ],
    services: [
      oidcClient('web', { grantTypes, scopes: ['openid', 'offline_access'] }),
      oidcClient('named', {}, { usernameAttribute: mail, attributeRelease: { kind: 'all' } }),
      oidcClient('resource', {
        tokenEndpointAuthMethod: 'client_secret_basic',
        grantTypes: ['client_credentials'],
      }),
      oidcClient('signing', { tokenEndpointAuthMethod: 'private_key_jwt', jwks: signer.jwks }),
    ],
  });
  secret = await newSecret(sso, 'resource');
  web = await discover(sso, 'web');
  accounts = AccountStore.of(sso.database.dataSource);
});
beforeEach(async () => {
  await query(sso.database.url, 'delete from user_account');
  const passwordHash = await new PasswordHashing(CHEAP).hash(JANE.password);
  await accounts.add({ name: 'jane', passwordHash, attributes: { mail: ['j@example.org'] } });
  await update({ enabled: true, requiredAttributes: {} });
  browser = new CookieBrowser(sso.url);
  await browser.signIn(JANE);
});
afterAll(() => sso.close());

async function update(change: Partial<NewService>): Promise<void> {
  const store = ServiceStore.of(sso.database.dataSource);
  const { id = '' } = (await store.findByClientId('web')) ?? {};
  await store.update(id, change);
  await sso.refreshServices();
}

const post = (path: string, form: Readonly<Record<string, string>>, by?: string): Promise<Reply> =>
  http('POST', sso.url, `/oidc${path}`, {
    form,
    headers: by === undefined ? {} : { authorization: `Basic ${btoa(by)}` },
  });

const errorOf = ({ body }: Reply): unknown => (JSON.parse(body) as { error?: unknown }).error;

const refresh = ({ refresh_token: token = '' }: Tokens, fields = {}): Promise<Reply> =>
  post('/token', {
    grant_type: 'refresh_token',
    client_id: 'web',
    refresh_token: token,
    ...fields,
  });

const userinfo = (token: string): Promise<Reply> =>
  http('GET', sso.url, '/oidc/userinfo', { headers: { authorization: `Bearer ${token}` } });

const introspect = async (token: string): Promise<Record<string, unknown>> =>
  JSON.parse((await post('/introspect', { token }, `resource:${secret}`)).body);

/** In the session of the browser, or with the right to outlive it. */
const inSession = (): Promise<Tokens> => tokensOf(web, browser, { scope: 'openid' });
const offline = async (): Promise<Tokens> => (await offlineCode())();

/** @returns what redeems it */
async function offlineCode(): Promise<() => Promise<Tokens>> {
  const parameters = { scope: 'openid offline_access', prompt: 'consent' };
  const { address, checks } = await requestOf(web, parameters);
  const { headers } = await browser.logIn(await browser.open(address), { _eventId: 'allow' });
  return () => client.authorizationCodeGrant(web, new URL(headers.location ?? ''), checks);
}

// Origin: RFC 9700, section 4.14; tokens must end with the right to have them.
describe('tokens end', () => {
  test.each<[string, () => Promise<Tokens>, () => Promise<unknown>]>([
    ['with their client, disabled', inSession, () => update({ enabled: false })],
    ['with their client, disabled, also offline', offline, () => update({ enabled: false })],
    ['with a required attribute', inSession, () => update({ requiredAttributes: { a: ['b'] } })],
    [
      'with a required attribute, offline',
      offline,
      () => update({ requiredAttributes: { a: ['b'] } }),
    ],
    ['with the account, disabled', inSession, () => accounts.change('jane', { disabled: true })],
    [
      'with the account, disabled, offline',
      offline,
      () => accounts.change('jane', { disabled: true }),
    ],
    ['with the account, removed, offline', offline, () => accounts.remove('jane')],
    [
      'with a required attribute that the user has lost, offline',
      async () => {
        await update({ requiredAttributes: { mail: ['j@example.org'] } });
        return offline();
      },
      async () => {
        await accounts.change('jane', { attributes: { mail: [] } });
        await browser.send('GET', `${BASE_URL}/logout`);
      },
    ],
  ])('%s', async (_, get, end) => {
    const tokens = await get();
    expect((await userinfo(tokens.access_token)).status).toBe(200);
    expect(await introspect(tokens.access_token)).toMatchObject({ active: true, sub: 'jane' });
    await end();
    expect((await userinfo(tokens.access_token)).status).toBe(401);
    expect(await introspect(tokens.access_token)).toEqual({ active: false });
    expect(await introspect(tokens.refresh_token ?? '')).toEqual({ active: false });
    expect(['invalid_grant', 'invalid_client']).toContain(errorOf(await refresh(tokens)));
  });
});

// Origin: RFC 9700, section 4.5; a code that leaks is worth nothing once its user has signed out.
test('a code ends with the session, also one for access without it', async () => {
  const tokens = await offline();
  const redeem = await offlineCode();
  await browser.send('GET', `${BASE_URL}/logout`);
  await expect(redeem()).rejects.toMatchObject({ error: 'invalid_grant' });
  expect((await refresh(tokens)).status).toBe(200);
});

test('a resource server knows the user as the client of the token does', async () => {
  const named = await discover(sso, 'named');
  const tokens = await tokensOf(named, browser);
  expect(tokens.claims()?.sub).toBe('j@example.org');
  expect(await introspect(tokens.access_token)).toMatchObject({ sub: 'j@example.org' });
});

// Origin: RFC 8725, section 2.8 (cross-JWT confusion); RFC 6749, section 10.
describe('a text is not taken for another', () => {
  test.each<[string, (tokens: Tokens, code: string) => Promise<Reply>, number]>([
    ['an ID token as an access token', ({ id_token: text = '' }) => userinfo(text), 401],
    ['a refresh token as an access token', ({ refresh_token: text = '' }) => userinfo(text), 401],
    ['a code as an access token', (_, code) => userinfo(code), 401],
    [
      'an access token as a refresh token',
      ({ access_token: text }) => refresh({ refresh_token: text } as Tokens),
      400,
    ],
    [
      'an ID token as the assertion of a client',
      ({ id_token: text = '' }) => assert(text, 'web'),
      400,
    ],
  ])('%s', async (_, use, status) => {
    const tokens = await inSession();
    const { address } = await requestOf(web, { scope: 'openid' });
    const { code = '' } = answerIn(await browser.open(address));
    expect((await use(tokens, code)).status).toBe(status);
  });

  test('a refresh token gets no more scopes than it has', async () => {
    const tokens = await inSession();
    for (const scope of ['openid offline_access', 'openid profile', 'openid phone', '*']) {
      expect(errorOf(await refresh(tokens, { scope }))).toBe('invalid_scope');
    }
  });

  test.each(['openid', 'openid profile', 'offline_access'])(
    'a token of a client itself has no user, also with the scope %s',
    async (scope) => {
      const form = { grant_type: 'client_credentials', scope };
      const { status, body } = await post('/token', form, `resource:${secret}`);
      const { access_token: text = '' } = JSON.parse(body) as { access_token?: string };
      expect(body).not.toMatch(/id_token|refresh_token/);
      if (status !== 400) expect((await userinfo(text)).status).toBe(401);
    },
  );
});

function assert(assertion: string, clientId = 'signing'): Promise<Reply> {
  return post('/revoke', {
    token: 'x',
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
  });
}

// Origin: CVE-2025-27371 and CVE-2025-27370, audience injection.
describe('an assertion of a client', () => {
  const claims = (): Record<string, unknown> => ({
    iss: 'signing',
    sub: 'signing',
    aud: ISSUER,
    jti: randomUUID(),
    exp: inAMinute(),
  });

  test.each<[string, unknown, number]>([
    ['the issuer', ISSUER, 200],
    ['the endpoint of tokens', `${ISSUER}/token`, 200],
    ['both', [ISSUER, `${ISSUER}/token`], 200],
    ['another server too', [ISSUER, 'https://evil.example'], 401],
    ['another server first', ['https://evil.example', `${ISSUER}/token`], 401],
    ['another path', `${ISSUER}/authorize`, 401],
    ['more after the issuer', `${ISSUER}/`, 401],
    ['nobody', [], 401],
    ['an object', { 0: ISSUER }, 401],
  ])('for %s', async (_, aud, status) => {
    expect((await assert(signer.sign({ ...claims(), aud }))).status).toBe(status);
  });

  test('does not make a client of another method', async () => {
    for (const id of ['web', 'resource']) {
      const forged = signer.sign({ ...claims(), iss: id, sub: id });
      expect([(await assert(forged, id)).status, (await assert(forged)).status]).toEqual([
        401, 400,
      ]);
    }
    expect((await post('/revoke', { token: 'x', client_id: 'signing' })).status).toBe(401);
    expect((await post('/revoke', { token: 'x' }, 'signing:-')).status).toBe(401);
  });
});

// Origin: RFC 8725, section 3.1 (algorithm confusion); CVE-2016-10555.
describe('an id_token_hint that this server has not signed is refused', () => {
  const hint = (claims: object): Readonly<Record<string, unknown>> => ({
    iss: ISSUER,
    sub: 'jane',
    aud: 'web',
    exp: inAMinute(),
    iat: inAMinute() - 60,
    ...claims,
  });

  test.each<[string, () => Promise<string>]>([
    ['without a signature', () => Promise.resolve(unsignedJwt(hint({})))],
    ['signed by a client', () => Promise.resolve(signer.sign(hint({})))],
    [
      'signed with the public key as a secret',
      async () => {
        const { body } = await http('GET', sso.url, '/oidc/jwks');
        const [key] = (JSON.parse(body) as { keys: JsonWebKey[] }).keys;
        const pem = createPublicKey({ key: key ?? {}, format: 'jwk' }).export({
          format: 'pem',
          type: 'spki',
        });
        const signed = unsignedJwt(hint({}), { alg: 'HS256', kid: key?.['kid'] }).slice(0, -1);
        return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`;
      },
    ],
  ])('%s', async (_, make) => {
    const { address } = await requestOf(web, { id_token_hint: await make(), scope: 'openid' });
    expect(answerIn(await browser.open(address)).error).toBe('invalid_request');
  });
});

// Origin: RFC 6749, section 5.2; the answer must not tell which clients there are.
test('an unknown client, a wrong secret and another method get the same answer', async () => {
  const form = { grant_type: 'client_credentials' };
  const replies = await Promise.all(
    ['unknown:x', 'resource:x', 'web:x', 'signing:x'].map((by) => post('/token', form, by)),
  );
  const answers = replies.map(({ status, body, headers: { date: _, ...headers } }) => ({
    status,
    body,
    headers,
  }));
  expect(answers[0]?.status).toBe(401);
  for (const each of answers) expect(each).toEqual(answers[0]);
});
