// Tokens of clients that have lost scopes or a grant type.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { AccountStore } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { type NewClient, ServiceStore } from '@tessera/services';
import { CookieBrowser } from '../support/cookie-browser.js';
import { http } from '../support/http.js';
import {
  discover,
  newSecret,
  oidcClient,
  requestOf,
  startOidc,
  tokensOf,
} from '../support/oidc-client.js';
import { query } from '../support/query.js';
import { BASE_URL, type Sso } from '../support/sso.js';

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
    services: [oidcClient('web', WEB, all), oidcClient('machine', MACHINE)],
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
  await browser.logIn(await browser.open(`${BASE_URL}/login`), { username, password: 'Mellon' });
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
