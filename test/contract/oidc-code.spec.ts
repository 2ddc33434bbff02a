// Sign-ins of OpenID Connect clients by authorization code, in the session of the login page.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import type { NewService } from '@tessera/services';
import { loginPath, ticketIn } from '../support/browser.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import { discover, REDIRECT_URI, requestOf, startOidc, tokensOf } from '../support/oidc-client.js';
import { query } from '../support/query.js';
import { APP, BASE_URL, type Sso } from '../support/sso.js';

const CLIENT: NewService = {
  name: 'Client',
  serviceId: null,
  clientId: 'web',
  attributeRelease: { kind: 'all' },
  client: {
    redirectUris: [REDIRECT_URI],
    tokenEndpointAuthMethod: 'none',
    grantTypes: ['authorization_code', 'refresh_token'],
    scopes: ['openid', 'profile', 'email', 'offline_access'],
  },
};

const LASTING: NewService = {
  ...CLIENT,
  name: 'Lasting',
  clientId: 'lasting',
  client: { ...CLIENT.client, refreshTokenLifetime: 400 * 86_400 },
};

let sso: Sso;
let browser: CookieBrowser;
let config: client.Configuration;

beforeAll(async () => {
  sso = await startOidc({ services: [CLIENT, LASTING] });
  config = await discover(sso, 'web');
});
beforeEach(() => {
  browser = new CookieBrowser(sso.url);
});
afterAll(() => sso.close());

test('a sign-in gives tokens, whose claims are at userinfo', async () => {
  const { address, checks } = await requestOf(config);
  const reply = await browser.logIn(await browser.open(address));
  const tokens = await client.authorizationCodeGrant(
    config,
    new URL(reply.headers.location ?? ''),
    checks,
  );
  const claims = tokens.claims();
  expect(claims).toMatchObject({
    sub: 'casuser',
    aud: 'web',
    iss: `${BASE_URL}/oidc`,
    amr: ['pwd'],
    auth_time: expect.any(Number),
    sid: expect.any(String),
  });
  expect(await client.fetchUserInfo(config, tokens.access_token, 'casuser')).toEqual({
    sub: 'casuser',
    name: 'Cas <User> & Co',
    email: 'casuser@example.org',
    preferred_username: 'casuser',
  });
});

test('a session of the login page is enough, and the other way round', async () => {
  await browser.signIn();
  const { address, checks } = await requestOf(config);
  const reply = await browser.open(address);
  await client.authorizationCodeGrant(config, new URL(reply.headers.location ?? ''), checks);
  const other = await browser.send('GET', `${BASE_URL}${loginPath(APP)}`);
  expect(ticketIn(other)).toMatch(/^ST-/);
});

test('a further login counts for this request, and for all that follow', async () => {
  const signIn = async (parameters: Readonly<Record<string, string>>, asksForLogin: boolean) => {
    const { address, checks } = await requestOf(config, { ...parameters, max_age: '1800' });
    const opened = await browser.open(address);
    const reply = asksForLogin ? await browser.logIn(opened) : opened;
    const location = new URL(reply.headers.location ?? '');
    const tokens = await client.authorizationCodeGrant(config, location, {
      ...checks,
      maxAge: 1_800,
    });
    return tokens.claims();
  };
  await browser.signIn();
  const age = (): Promise<unknown> =>
    sso.database.dataSource.query(
      `update ticket_granting_ticket set authenticated_at = now() - interval '1 hour'`,
    );
  const started = Math.floor(Date.now() / 1_000);
  for (const parameters of [{}, { prompt: 'login' }]) {
    await age();
    const first = await signIn(parameters, true);
    expect(first?.auth_time).toBeGreaterThanOrEqual(started);
    expect((await signIn({}, false))?.auth_time).toBe(first?.auth_time);
  }
});

describe('refresh', () => {
  test('goes on as long as the last token of a client lives, where the settings say less', async () => {
    await browser.signIn();
    const lasting = await discover(sso, 'lasting');
    const endedBefore = () =>
      query(
        sso.database.url,
        `select from oidc_grant g join oidc_token t on t.grant_id = g.id and model = 'RefreshToken'
         where g.client_id = 'lasting' and g.expires_at < t.expires_at`,
      );
    const tokens = await tokensOf(lasting, browser);
    expect(await endedBefore()).toEqual([]);
    await query(sso.database.url, `update oidc_grant set expires_at = now() + interval '1 minute'`);
    await client.refreshTokenGrant(lasting, tokens.refresh_token ?? '');
    expect(await endedBefore()).toEqual([]);
  });

  test('gives new tokens until the session ends', async () => {
    const { address, checks } = await requestOf(config);
    const reply = await browser.logIn(await browser.open(address));
    const first = await client.authorizationCodeGrant(
      config,
      new URL(reply.headers.location ?? ''),
      checks,
    );
    const second = await client.refreshTokenGrant(config, first.refresh_token ?? '');
    expect(second.claims()?.sub).toBe('casuser');
    await browser.send('GET', `${BASE_URL}/logout`);
    await expect(
      client.refreshTokenGrant(config, second.refresh_token ?? ''),
    ).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(
      client.fetchUserInfo(config, second.access_token, 'casuser'),
    ).rejects.toMatchObject({
      status: 401,
    });
  });
});
