// Tokens of clients that have lost scopes or a grant type, and of users without the attribute of their user name.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { AccountStore } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { type NewClient, ServiceStore } from '@tessera/services';
import { CookieBrowser } from '../support/cookie-browser.js';
import { http } from '../support/http.js';
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
import type { Sso } from '../support/sso.js';

const CHEAP = { memory: 8, iterations: 1, parallelism: 1 };
const MAIL = { mail: ['j@example.org'] };
const CODES = { grantTypes: ['authorization_code', 'refresh_token'] } as const;
const WEB: NewClient = { ...CODES, scopes: ['openid', 'profile', 'email', 'offline_access'] };
const MACHINE = {
  tokenEndpointAuthMethod: 'client_secret_basic',
  grantTypes: ['client_credentials'],
  scopes: ['openid', 'groups'],
} as const;

type Tokens = client.TokenEndpointResponse & client.TokenEndpointResponseHelpers;

let sso: Sso;
let browser: CookieBrowser;
let accounts: AccountStore;
let secret: string;

beforeAll(async () => {
  const all = { attributeRelease: { kind: 'all' } } as const;
  sso = await startOidc({
    settings: [
      '--sso.authentication.handlers=accounts',
      '--sso.authentication.accounts.argon2.memory=8',
      '--sso.authentication.accounts.argon2.iterations=1',
      '--sso.throttle.login.enabled=false',
    ],
    services: [
      oidcClient('web', WEB, all),
      oidcClient('machine', MACHINE),
      oidcClient('named', WEB, { ...all, usernameAttribute: { kind: 'attribute', name: 'uid' } }),
    ],
  });
  secret = await newSecret(sso, 'machine');
  accounts = AccountStore.of(sso.database.dataSource);
});
beforeEach(async () => {
  await query(sso.database.url, 'delete from user_account');
  await query(sso.database.url, 'delete from oidc_consent');
  await change('web', WEB);
  await change('machine', MACHINE);
  await addUser('jane', { ...MAIL, uid: ['4711'] });
  await signIn('jane');
});
afterAll(() => sso.close());

async function addUser(
  name: string,
  attributes: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const passwordHash = await new PasswordHashing(CHEAP).hash('Mellon');
  await accounts.add({ name, passwordHash, attributes });
}

async function signIn(username: string): Promise<void> {
  browser = new CookieBrowser(sso.url);
  await browser.signIn({ username, password: 'Mellon' });
}

async function change(clientId: string, changes: NewClient): Promise<void> {
  const store = ServiceStore.of(sso.database.dataSource);
  const found = await store.findByClientId(clientId);
  await store.update(found?.id ?? '', { client: { ...found?.client, ...changes } });
  await sso.refreshServices();
}

async function offline(clientId: string): Promise<Tokens> {
  const config = await discover(sso, clientId);
  const parameters = { scope: 'openid profile email offline_access', prompt: 'consent' };
  const { address, checks } = await requestOf(config, parameters);
  const { headers } = await browser.logIn(await browser.open(address), { _eventId: 'allow' });
  return client.authorizationCodeGrant(config, new URL(headers.location ?? ''), checks);
}

const refresh = async (clientId: string, { refresh_token: token = '' }: Tokens): Promise<Tokens> =>
  client.refreshTokenGrant(await discover(sso, clientId), token);

async function userinfo(
  token: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, body } = await http('GET', sso.url, '/oidc/userinfo', { headers });
  return { status, body: status === 200 ? JSON.parse(body) : undefined };
}

/** The answer to the client `machine`. */
async function introspect(token: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Basic ${btoa(`machine:${secret}`)}` };
  const reply = await http('POST', sso.url, '/oidc/introspect', { form: { token }, headers });
  return JSON.parse(reply.body) as Record<string, unknown>;
}

/** Also those in other browsers. */
const endSessions = () => query(sso.database.url, 'delete from ticket_granting_ticket');

describe('a scope that a client has lost', () => {
  test('is lost in its tokens, old and new', async () => {
    const tokens = await offline('web');
    await change('web', { scopes: ['openid', 'profile', 'offline_access'] });
    const kept = { sub: 'jane', preferred_username: 'jane' };
    expect((await userinfo(tokens.access_token)).body).toEqual(kept);
    const left = { active: true, scope: 'openid profile offline_access' };
    expect(await introspect(tokens.access_token)).toMatchObject(left);
    expect(await introspect(tokens.refresh_token ?? '')).toMatchObject(left);
    const refreshed = await refresh('web', tokens);
    expect(refreshed.scope).toBe('openid profile offline_access');
    expect((await userinfo(refreshed.access_token)).body).toEqual(kept);
  });

  test('is lost in the next authorization too', async () => {
    await tokensOf(await discover(sso, 'web'), browser);
    await change('web', { scopes: ['openid', 'profile'] });
    const config = await discover(sso, 'web');
    const tokens = await tokensOf(config, browser, { scope: 'openid profile' });
    await change('web', WEB);
    const { body } = await userinfo(tokens.access_token);
    expect(body).toEqual({ sub: 'jane', preferred_username: 'jane' });
  });

  test('ends tokens with the session, if it is offline_access', async () => {
    const tokens = await offline('web');
    await change('web', { scopes: ['openid', 'profile', 'email'] });
    expect((await userinfo(tokens.access_token)).status).toBe(200);
    await endSessions();
    expect((await userinfo(tokens.access_token)).status).toBe(401);
    await expect(refresh('web', tokens)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

describe('the token of a client itself', () => {
  const token = async (): Promise<string> => {
    const config = await discover(sso, 'machine', secret);
    const { access_token } = await client.clientCredentialsGrant(config, {
      scope: 'openid groups',
    });
    expect(await introspect(access_token)).toMatchObject({ active: true, scope: 'openid groups' });
    return access_token;
  };

  test('loses the scopes that the client loses', async () => {
    const own = await token();
    await change('machine', { scopes: ['openid'] });
    expect(await introspect(own)).toMatchObject({ active: true, scope: 'openid' });
  });

  test('is not active without the grant type', async () => {
    const own = await token();
    await change('machine', { ...CODES, redirectUris: ['https://machine.example.org/cb'] });
    expect(await introspect(own)).toEqual({ active: false });
  });
});

describe('a user name that is an attribute', () => {
  test('of a user without it is nobody, also where it is the name of another user', async () => {
    await addUser('4711', MAIL);
    await signIn('4711');
    const { address } = await requestOf(await discover(sso, 'named'));
    expect(answerIn(await browser.open(address)).error).toBe('access_denied');
    await signIn('jane');
    const tokens = await tokensOf(await discover(sso, 'named'), browser);
    expect(tokens.claims()?.sub).toBe('4711');
  });

  test('ends tokens, when the user has lost it', async () => {
    const tokens = await offline('named');
    await endSessions();
    await accounts.change('jane', { attributes: { uid: [] } });
    expect((await userinfo(tokens.access_token)).status).toBe(401);
    expect(await introspect(tokens.access_token)).toEqual({ active: false });
    await expect(refresh('named', tokens)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('is refused with a hint too', async () => {
    const { id_token: hint = '' } = await tokensOf(await discover(sso, 'named'), browser);
    await addUser('4711', MAIL);
    await signIn('4711');
    const { address } = await requestOf(await discover(sso, 'named'), { id_token_hint: hint });
    expect(answerIn(await browser.open(address)).error).toBe('access_denied');
  });

  test('is kept for access without the session, also after a further authorization', async () => {
    const tokens = await offline('named');
    await tokensOf(await discover(sso, 'named'), browser, { scope: 'openid' });
    const [{ kept } = { kept: undefined }] = (await query(
      sso.database.url,
      `select authentication->'attributes'->'uid' as kept from oidc_grant where client_id = 'named'
       order by expires_at desc limit 1`,
    )) as readonly { readonly kept: unknown }[];
    expect(kept).toEqual(['4711']);
    expect((await userinfo(tokens.access_token)).status).toBe(200);
  });
});
