// The paths of Apereo CAS, and those where RFC 8414 looks for discovery.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { CookieBrowser } from '../support/cookie-browser.js';
import { http, type Reply } from '../support/http.js';
import {
  answerIn,
  discover,
  newSecret,
  oidcClient,
  REDIRECT_URI,
  requestOf,
  startOidc,
  tokensOf,
} from '../support/oidc-client.js';
import { BASE_URL, type Sso } from '../support/sso.js';

let sso: Sso;
let browser: CookieBrowser;
let secret: string;

beforeAll(async () => {
  const all = { attributeRelease: { kind: 'all' } } as const;
  sso = await startOidc({
    services: [
      oidcClient('web', {}, all),
      oidcClient('asking', { scopes: ['openid', 'email', 'address'], consent: 'once' }, all),
      oidcClient(
        'moved',
        {
          tokenEndpointAuthMethod: 'client_secret_basic',
          pkceRequired: false,
          grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
          scopes: ['openid', 'profile', 'offline_access'],
        },
        all,
      ),
    ],
  });
  secret = await newSecret(sso, 'moved');
});
beforeEach(async () => {
  browser = new CookieBrowser(sso.url);
  await browser.signIn();
});
afterAll(() => sso.close());

const basic = (): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`moved:${secret}`).toString('base64')}`,
});

/** What the application redeems at a path, for a code that it got at another. */
async function tokensBy(authorize: string, token: string, inBody = false): Promise<Reply> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'moved',
    redirect_uri: REDIRECT_URI,
    ...(authorize.startsWith('/oidc') && { scope: 'openid profile' }),
  });
  const { code = '' } = answerIn(await browser.open(`${BASE_URL}${authorize}?${query.toString()}`));
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    ...(inBody && { client_id: 'moved', client_secret: secret }),
  };
  return http('POST', sso.url, token, { form, ...(!inBody && { headers: basic() }) });
}

const accessTokenIn = ({ body }: Reply): string =>
  (JSON.parse(body) as { access_token: string }).access_token;

const profile = (
  headers: Readonly<Record<string, string>>,
  path = '/oauth2.0/profile',
): Promise<Reply> => http('GET', sso.url, path, { headers });

describe('an application of Apereo CAS signs a user in', () => {
  test.each([
    ['/oidc/oidcAuthorize', '/oidc/oidcAccessToken', '/oidc/oidcProfile'],
    ['/oidc/authorize', '/oidc/accessToken', '/oidc/profile'],
    ['/oidc/authorize', '/oidc/token', '/oidc/userinfo'],
    ['/oidc/oidcAuthorize', '/oidc/oidcToken', '/oidc/profile'],
    ['/oauth2.0/authorize', '/oauth2.0/accessToken', '/oidc/profile'],
    ['/oauth2.0/authorize', '/oauth2.0/token', '/oidc/profile'],
  ])('by %s, %s and %s', async (authorize, token, userinfo) => {
    for (const inBody of [false, true]) {
      const tokens = await tokensBy(authorize, token, inBody);
      expect(tokens.status).toBe(200);
      const bearer = { authorization: `Bearer ${accessTokenIn(tokens)}` };
      const { status, body } = await profile(bearer, userinfo);
      expect({ status, sub: JSON.parse(body).sub }).toEqual({ status: 200, sub: 'casuser' });
    }
  });

  test('over the login page, and pushes the request before', async () => {
    const form = {
      client_id: 'moved',
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'openid',
    };
    const pushed = await http('POST', sso.url, '/oidc/oidcPushAuthorize', {
      form,
      headers: basic(),
    });
    expect(pushed.status).toBe(201);
    const { request_uri: uri } = JSON.parse(pushed.body) as { request_uri: string };
    const query = new URLSearchParams({ client_id: 'moved', request_uri: uri });
    browser = new CookieBrowser(sso.url);
    const page = await browser.open(`${BASE_URL}/oidc/oidcAuthorize?${query.toString()}`);
    expect(answerIn(await browser.logIn(page))).toHaveProperty('code');
  });

  test.each(['introspect', 'revoke'])('and sends tokens to /oauth2.0/%s', async (name) => {
    const token = accessTokenIn(await tokensBy('/oauth2.0/authorize', '/oauth2.0/accessToken'));
    const call = { form: { token }, headers: basic() };
    expect((await http('POST', sso.url, `/oauth2.0/${name}`, call)).status).toBe(200);
    const { body } = await http('POST', sso.url, '/oauth2.0/introspect', call);
    expect(JSON.parse(body).active).toBe(name === 'introspect');
  });

  test.each(['/oidc/oidcLogout', '/oidc/logout'])('and out at %s', async (path) => {
    const { id_token: hint } = JSON.parse(
      (await tokensBy('/oidc/oidcAuthorize', '/oidc/oidcAccessToken')).body,
    ) as { id_token: string };
    await browser.open(
      `${BASE_URL}${path}?${new URLSearchParams({ id_token_hint: hint }).toString()}`,
    );
    expect(browser.has('TGC')).toBe(false);
  });
});

describe('what is refused at the paths of the library is refused at these', () => {
  test.each(['/oidc/oidcAuthorize', '/oauth2.0/authorize'])(
    'another redirect URI at %s',
    async (path) => {
      const config = await discover(sso, 'web');
      const { address } = await requestOf(config, { redirect_uri: 'https://evil.example/' });
      const { status, headers } = await browser.open(address.replace('/oidc/authorize', path));
      expect({ status, location: headers.location }).toEqual({ status: 400, location: undefined });
    },
  );

  test.each(['/oidc/oidcAccessToken', '/oidc/accessToken', '/oauth2.0/accessToken'])(
    'a wrong secret at %s',
    async (path) => {
      const form = { grant_type: 'client_credentials', client_id: 'moved', client_secret: 'x' };
      expect((await http('POST', sso.url, path, { form })).status).toBe(401);
    },
  );

  test.each(['/oauth2.0/accessToken', '/oidc/oidcAccessToken'])(
    'a secret in the address of %s',
    async (path) => {
      const query = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'moved',
        client_secret: secret,
      });
      const reply = await http('GET', sso.url, `${path}?${query.toString()}`);
      expect(reply.status).toBe(405);
      expect(reply.body).not.toContain(secret);
    },
  );

  test.each(['/oauth2.0', '/oauth2.0/other', '/OAUTH2.0/profile', '/oidc/OIDCAUTHORIZE'])(
    '%s is none of them',
    async (path) => {
      expect((await http('GET', sso.url, path)).status).toBe(404);
    },
  );
});

describe('/oauth2.0/profile', () => {
  test('has all attributes that the application may have, in the form of Apereo CAS', async () => {
    const token = accessTokenIn(await tokensBy('/oauth2.0/authorize', '/oauth2.0/accessToken'));
    const { status, body } = await profile({ authorization: `Bearer ${token}` });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      id: 'casuser',
      attributes: {
        displayName: 'Cas <User> & Co',
        mail: 'casuser@example.org',
        memberOf: ['staff', 'admin'],
      },
      client_id: 'moved',
    });
  });

  test('has the attributes alone to which the user has agreed, where the user is asked', async () => {
    const asking = await discover(sso, 'asking');
    const { address, checks } = await requestOf(asking, { scope: 'openid email address' });
    const { headers } = await browser.logIn(await browser.open(address), { _eventId: 'allow' });
    const answer = new URL(headers.location ?? '');
    const tokens = await client.authorizationCodeGrant(asking, answer, checks);
    const { body } = await profile({ authorization: `Bearer ${tokens.access_token}` });
    expect(JSON.parse(body)).toEqual({
      id: 'casuser',
      attributes: { mail: 'casuser@example.org' },
      client_id: 'asking',
    });
  });

  test('takes the token in the address or in a form, as there', async () => {
    const token = accessTokenIn(await tokensBy('/oauth2.0/authorize', '/oauth2.0/accessToken'));
    const inQuery = await profile({}, `/oauth2.0/profile?access_token=${token}`);
    const inBody = await http('POST', sso.url, '/oauth2.0/profile', {
      form: { access_token: token },
    });
    expect([inQuery, inBody].map(({ body }) => JSON.parse(body).id)).toEqual([
      'casuser',
      'casuser',
    ]);
    const elsewhere = await profile({}, `/oidc/profile?access_token=${token}`);
    expect(elsewhere.status).toBe(400);
  });

  test('refuses a token that has not all scopes of the application', async () => {
    const config = await discover(sso, 'web');
    const tokens = await tokensOf(config, browser, { scope: 'openid profile' });
    const { status, headers, body } = await profile({
      authorization: `Bearer ${tokens.access_token}`,
    });
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 403,
      body: { error: 'insufficient_scope' },
    });
    expect(headers['www-authenticate']).toContain('insufficient_scope');
  });

  test.each<[string, () => Promise<Reply>, number]>([
    ['no token', () => profile({}), 401],
    ['a token that is none', () => profile({ authorization: 'Bearer x' }), 401],
    ['two tokens', () => profile({}, '/oauth2.0/profile?access_token=a&access_token=b'), 400],
    [
      'a token in two places',
      () => profile({ authorization: 'Bearer x' }, '/oauth2.0/profile?access_token=x'),
      400,
    ],
    [
      'the token of a client itself',
      async () => {
        const { access_token: token } = await client.clientCredentialsGrant(
          await discover(sso, 'moved', secret),
        );
        return profile({ authorization: `Bearer ${token}` });
      },
      401,
    ],
  ])('refuses %s', async (_, call, status) => {
    const reply = await call();
    expect(reply.status).toBe(status);
    expect(reply.body).not.toContain('casuser');
  });
});

describe('discovery', () => {
  test.each([
    '/cas/oidc/.well-known/openid-configuration',
    '/cas/oidc/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration/cas/oidc',
    '/.well-known/oauth-authorization-server/cas/oidc',
  ])('is at %s, with the paths of the library', async (path) => {
    const { status, body } = await http('GET', new URL(sso.url).origin, path);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      issuer: `${BASE_URL}/oidc`,
      authorization_endpoint: `${BASE_URL}/oidc/authorize`,
      token_endpoint: `${BASE_URL}/oidc/token`,
      userinfo_endpoint: `${BASE_URL}/oidc/userinfo`,
      device_authorization_endpoint: `${BASE_URL}/oidc/device-authorization`,
    });
  });

  test('finds a client by RFC 8414', async () => {
    const { [client.customFetch]: fetch } = await discover(sso, 'web');
    const issuer = new URL(`${BASE_URL}/oidc`);
    const config = await client.discovery(issuer, 'web', undefined, undefined, {
      algorithm: 'oauth2',
      ...(fetch && { [client.customFetch]: fetch }),
    });
    expect(config.serverMetadata().issuer).toBe(`${BASE_URL}/oidc`);
  });
});
