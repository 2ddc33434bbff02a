// Sign-outs that a client begins: when the session ends at once, when the user is asked, and where the browser goes on to.
// @see OpenID Connect RP-Initiated Logout 1.0
import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { poolOf } from '@tessera/database';
import { ServiceRegistry } from '@tessera/services';
import { OidcLogout } from '../../apps/sso/src/oidc/logout/oidc-logout.js';
import { formIn } from '../support/browser.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import { http, type Reply } from '../support/http.js';
import { discover, oidcClient, REDIRECT_URI, startOidc, tokensOf } from '../support/oidc-client.js';
import { FORGERIES, partsOf } from '../support/signed-tokens.js';
import { BASE_URL, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

const ISSUER = `${BASE_URL}/oidc`;
const END = `${ISSUER}/session/end`;
const BYE = 'https://client.example.org/bye';
const OTHER_BYE = 'https://other.example.org/bye';
const ANN = { username: 'ann', password: 'Mellon' };

type Parameters = Readonly<Record<string, string>>;

let sso: Sso;
let browser: CookieBrowser;

beforeAll(async () => {
  sso = await startOidc({
    settings: ['--sso.authentication.static.users=casuser::Mellon,ann::Mellon'],
    services: [
      oidcClient('web', { postLogoutRedirectUris: [BYE, `${BYE}?lang=en`] }, { name: '<web>' }),
      oidcClient('other', { postLogoutRedirectUris: [OTHER_BYE] }),
      oidcClient('refreshing', {
        postLogoutRedirectUris: [BYE],
        grantTypes: ['authorization_code', 'refresh_token'],
      }),
      oidcClient('brief', { postLogoutRedirectUris: [BYE], accessTokenLifetime: 1 }),
    ],
  });
});
beforeEach(() => {
  browser = new CookieBrowser(sso.url);
});
afterAll(() => sso?.close());

/** Of a sign-in by the session of the browser, or else as casuser. */
async function idTokenOf(clientId = 'web'): Promise<string> {
  if (!browser.has('TGC')) await browser.signIn();
  const { id_token: token = '' } = await tokensOf(await discover(sso, clientId), browser);
  return token;
}

/** The client has ended the grant, by its refresh token. */
async function revokedIdToken(): Promise<string> {
  await idTokenOf();
  const config = await discover(sso, 'refreshing');
  const { id_token: token = '', refresh_token: refresh = '' } = await tokensOf(config, browser);
  await client.tokenRevocation(config, refresh);
  return token;
}

const end = (parameters: Parameters, of = browser): Promise<Reply> =>
  of.send('GET', `${END}?${new URLSearchParams(parameters).toString()}`);

const isSignedIn = async (of = browser): Promise<boolean> =>
  (await of.send('GET', `${BASE_URL}/login`)).body.includes('You are signed in');

/** Without the links to the same page in other languages. */
const contentOf = ({ body }: Reply): string => body.replace(/<nav[^]*<\/nav>/, '');

const isQuestion = ({ status, body }: Reply): boolean =>
  status === 200 && body.includes('<h1>Sign out?</h1>');

/** The session lives on, and the browser goes nowhere. */
async function expectRefusal(reply: Reply, detail: string): Promise<void> {
  expect([reply.status, reply.headers.location]).toEqual([400, undefined]);
  expect(contentOf(reply)).toContain(`>${detail}</p>`);
  expect(contentOf(reply)).not.toContain('example.org');
  expect(reply.body).not.toContain('eyJ');
  expect(await isSignedIn()).toBe(true);
}

describe('a hint is refused', () => {
  const publicKey = async () => {
    const { body } = await http('GET', sso.url, '/oidc/jwks');
    const { keys } = JSON.parse(body) as { readonly keys: readonly Record<string, string>[] };
    const [key] = keys.filter(({ alg }) => alg === 'RS256');
    return createPublicKey({ key: key ?? {}, format: 'jwk' });
  };
  const logoutToken = async (hint: string): Promise<string> => {
    const message = {
      id: 'LR-1',
      principal: 'casuser',
      protocol: 'oidc',
      application: 'web',
      sessionIndex: String(partsOf(hint).payload['sid']),
      endedAt: new Date(),
    } as const;
    const logout = sso.application.get(OidcLogout, { strict: false });
    const service = sso.application.get(ServiceRegistry).findByClientId('web');
    const form = service && (await logout.formOf(message, service));
    return form?.['logout_token'] ?? '';
  };

  test.each<[string, (hint: string) => string | Promise<string>]>([
    ['that is no token', () => 'x'],
    ['whose payload is no object', () => `e30.${Buffer.from('null').toString('base64url')}.x`],
    ['without a signature', (hint) => hint.replace(/[^.]*$/, '')],
    ['with alg none', FORGERIES.unsigned],
    ['of a stranger who uses the name of our key', (hint) => FORGERIES.byStranger(hint)],
    [
      'of another issuer',
      (hint) => FORGERIES.byStranger(hint, { iss: 'https://op.example.org/oidc' }),
    ],
    ['signed with the public key', async (hint) => FORGERIES.byPublicKey(hint, await publicKey())],
    ['that was changed', (hint) => FORGERIES.changed(hint, { sub: 'ann' })],
    ['for another client', (hint) => FORGERIES.changed(hint, { aud: 'other' })],
    ['for an unknown client', (hint) => FORGERIES.changed(hint, { aud: 'nobody' })],
    ['that is a logout token', logoutToken],
  ])('%s', async (_, forge) => {
    const hint = await forge(await idTokenOf());
    const detail = 'id_token_hint is not an ID token of this server for a registered client';
    const reply = await end({ id_token_hint: hint, post_logout_redirect_uri: BYE });
    await expectRefusal(reply, detail);
  });
});

describe('a request is refused', () => {
  test.each<[string, Parameters, detail: string]>([
    [
      'with the id of an unknown client',
      { client_id: 'nobody', post_logout_redirect_uri: BYE },
      'client_id is not that of a registered client',
    ],
    [
      'with a control character in the state',
      { client_id: 'web', state: 'a\r\nb' },
      'state contains control characters',
    ],
    [
      'with a very long state',
      { client_id: 'web', state: 's'.repeat(2_001) },
      'state is longer than 2000 characters',
    ],
  ])('%s', async (_, parameters, detail) => {
    await idTokenOf();
    await expectRefusal(await end(parameters), detail);
  });

  test('whose hint is of another client than client_id', async () => {
    const hint = await idTokenOf();
    const reply = await end({ id_token_hint: hint, client_id: 'other' });
    await expectRefusal(reply, 'client_id is not that of id_token_hint');
  });

  test.each(['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'])(
    'that has %s twice',
    async (name) => {
      await idTokenOf();
      const reply = await browser.send('GET', `${END}?${name}=a&${name}=a`);
      await expectRefusal(reply, `${name} is given more than once`);
    },
  );

  test.each([
    OTHER_BYE,
    `${BYE}/`,
    `${BYE}?lang=de`,
    `${BYE}?`,
    `${BYE}#top`,
    `${BYE}/../evil`,
    `${BYE}%2f..`,
    `${BYE}@evil.example.com/`,
    BYE.replace('/bye', '/BYE'),
    BYE.replace('https', 'http'),
    BYE.replace('client', 'CLIENT'),
    BYE.replace('//', '//user@'),
    BYE.replace('.org', '.org.evil.example.com'),
    BYE.replace('.org', '.org:444'),
    BYE.replace('.org', '.org\\@evil.example.com'),
    '//client.example.org/bye',
    '/bye',
    'javascript:alert(1)',
    'data:text/html,x',
    ` ${BYE}`,
    REDIRECT_URI,
  ])('whose URI is not registered for the client: %s', async (uri) => {
    const hint = await idTokenOf();
    for (const named of [{ id_token_hint: hint }, { client_id: 'web' }] as Parameters[]) {
      const reply = await end({ ...named, post_logout_redirect_uri: uri });
      await expectRefusal(reply, 'post_logout_redirect_uri is not registered for the client');
    }
  });

  test('by HEAD, and by another method', async () => {
    const hint = await idTokenOf();
    const query = new URLSearchParams({ id_token_hint: hint }).toString();
    expect((await browser.send('HEAD', `${END}?${query}`)).status).toBe(405);
    expect((await browser.send('PUT', `${END}?${query}`)).status).toBe(405);
    expect(await isSignedIn()).toBe(true);
  });
});

describe('the user is asked', () => {
  const inOther = async (hint: () => Promise<string>): Promise<Parameters> => {
    const own = browser;
    browser = new CookieBrowser(sso.url);
    const token = await hint();
    browser = own;
    return { id_token_hint: token };
  };

  /** The token of a hint is in the address no more. */
  const askedBy = (parameters: Parameters): Promise<Reply> =>
    browser.open(`${END}?${new URLSearchParams(parameters).toString()}`);

  test.each<[string, () => Parameters | Promise<Parameters>]>([
    ['without any parameter', () => ({})],
    ['without a hint', () => ({ client_id: 'web' })],
    ['without a hint, and with a URI', () => ({ client_id: 'web', post_logout_redirect_uri: BYE })],
    ['with a URI of nobody', () => ({ post_logout_redirect_uri: 'https://evil.example.com/' })],
    ['with empty parameters', () => ({ id_token_hint: '', client_id: '', state: '' })],
    ['with a hint of another session of the user', () => inOther(idTokenOf)],
    [
      'with a hint of another user',
      () =>
        inOther(async () => {
          await browser.signIn(ANN);
          return idTokenOf();
        }),
    ],
    [
      'with a hint of an earlier session',
      () =>
        inOther(async () => {
          const hint = await idTokenOf();
          await browser.send('GET', `${BASE_URL}/logout`);
          return hint;
        }),
    ],
  ])('%s', async (_, parametersOf) => {
    await idTokenOf();
    const reply = await askedBy(await parametersOf());
    expect([isQuestion(reply), reply.headers.location]).toEqual([true, undefined]);
    expect(contentOf(reply)).not.toContain('evil');
    expect(reply.body).not.toContain('eyJ');
    expect(await isSignedIn()).toBe(true);
  });

  test('with a hint of an earlier login, where the client has revoked its tokens', async () => {
    const hint = await revokedIdToken();
    await sso.database.dataSource.query(
      `update ticket_granting_ticket set authenticated_at = authenticated_at - interval '1 second'`,
    );
    expect(isQuestion(await askedBy({ id_token_hint: hint }))).toBe(true);
  });

  test('with a hint of another user, where the client has revoked its tokens', async () => {
    await revokedIdToken();
    const { id_token_hint: hint = '' } = await inOther(async () => {
      await browser.signIn(ANN);
      return idTokenOf('refreshing');
    });
    await sso.database.dataSource.query(
      'update ticket_granting_ticket set authenticated_at = to_timestamp($1)',
      [partsOf(hint).payload['auth_time']],
    );
    expect(isQuestion(await askedBy({ id_token_hint: hint }))).toBe(true);
  });

  test('with a hint of one of two sessions that the cookies name', async () => {
    const hint = await idTokenOf();
    const other = new CookieBrowser(sso.url);
    await other.signIn(ANN);
    const cookies = [browser, other].map((each) => `TGC=${each.valueOf('TGC')}`);
    const { status, headers } = await http(
      'GET',
      sso.url,
      `/oidc/session/end?id_token_hint=${hint}`,
      {
        headers: { cookie: cookies.join('; ') },
      },
    );
    expect([status, headers.location]).toEqual([303, '/cas/oidc/session/end?client_id=web']);
    expect([await isSignedIn(), await isSignedIn(other)]).toEqual([true, true]);
  });

  test('about the client, by its name', async () => {
    await idTokenOf();
    const { body } = await end({ client_id: 'web', post_logout_redirect_uri: BYE });
    expect(body).toContain(
      'at the request of &lt;web&gt; <small><bdi>client.example.org</bdi></small>',
    );
  });

  test.each<[uiLocales: string, locale: string, language: string]>([
    ['xx de', '', 'de'],
    ['fr-CA', '', 'fr'],
    ['de', 'es', 'es'],
    ['xx', '', 'en'],
  ])(
    'in a language that the client names: %s, and %j by a link',
    async (uiLocales, locale, language) => {
      await idTokenOf();
      const reply = await end({ ui_locales: uiLocales, ...(locale && { locale }) });
      expect(reply.headers['content-language']).toBe(language);
      const answer = await confirm(reply);
      expect(answer.headers['content-language']).toBe(language);
    },
  );
});

describe('the session ends at once', () => {
  test.each<[string, Parameters, location: string | undefined]>([
    ['and the browser stays', {}, undefined],
    ['and the browser goes on', { post_logout_redirect_uri: BYE }, BYE],
    [
      'with the state',
      { post_logout_redirect_uri: BYE, state: 'ä &#"?/%\\' },
      `${BYE}?state=%C3%A4%20%26%23%22%3F%2F%25%5C`,
    ],
    [
      'with the state behind a query',
      { post_logout_redirect_uri: `${BYE}?lang=en`, state: 's', client_id: 'web' },
      `${BYE}?lang=en&state=s`,
    ],
    ['with a state and without a URI', { state: 's' }, undefined],
  ])('%s', async (_, parameters, location) => {
    const hint = await idTokenOf();
    const reply = await end({ id_token_hint: hint, ...parameters });
    expect([reply.status, reply.headers.location]).toEqual([location ? 302 : 200, location]);
    expect(browser.has('TGC')).toBe(false);
    expect(await isSignedIn()).toBe(false);
  });

  test('by the address that an ordinary client makes', async () => {
    const { href } = client.buildEndSessionUrl(await discover(sso, 'web'), {
      id_token_hint: await idTokenOf(),
      post_logout_redirect_uri: BYE,
      state: 's',
    });
    const { headers } = await browser.send('GET', href);
    expect(headers.location).toBe(`${BYE}?state=s`);
    expect(await isSignedIn()).toBe(false);
  });

  test('where the client has revoked its tokens before, as mod_auth_openidc does', async () => {
    const hint = await revokedIdToken();
    const reply = await end({ id_token_hint: hint, post_logout_redirect_uri: BYE });
    expect(reply.headers.location).toBe(BYE);
    expect(await isSignedIn()).toBe(false);
  });

  test('by a hint that has expired', async () => {
    const hint = await idTokenOf('brief');
    const { exp } = partsOf(hint).payload as { readonly exp: number };
    await until('it has expired', () => Date.now() / 1_000 > exp + 1);
    const reply = await end({ id_token_hint: hint, post_logout_redirect_uri: BYE });
    expect(reply.headers.location).toBe(BYE);
    expect(await isSignedIn()).toBe(false);
  });

  test('by a form, through its address', async () => {
    const hint = await idTokenOf();
    const form = { id_token_hint: hint, post_logout_redirect_uri: BYE, state: 's', other: 'x' };
    const { status, headers } = await browser.send('POST', END, form);
    const { other: _, ...sent } = form;
    const query = new URLSearchParams(sent).toString();
    expect([status, headers.location]).toEqual([303, `/cas/oidc/session/end?${query}`]);
    expect(await isSignedIn()).toBe(true);
    const reply = await browser.send('GET', new URL(headers.location ?? '', BASE_URL).href);
    expect(reply.headers.location).toBe(`${BYE}?state=s`);
  });

  test.each(['text/plain', 'application/json'])('not by a body of type %s', async (type) => {
    const reply = await http('POST', sso.url, '/oidc/session/end', {
      headers: { 'content-type': type, accept: 'text/html' },
      body: '{}',
    });
    expect(reply.status).toBe(415);
  });

  test.each<[string, Parameters, location: string | undefined]>([
    ['with a client and its URI', { client_id: 'web', post_logout_redirect_uri: BYE }, BYE],
    ['with a URI of nobody', { post_logout_redirect_uri: BYE }, undefined],
  ])('also where there is none: %s', async (_, parameters, location) => {
    const reply = await end(parameters);
    expect([reply.status, reply.headers.location]).toEqual([location ? 302 : 200, location]);
    expect(reply.body.includes('You are signed out')).toBe(location === undefined);
  });
});

function confirm(page: Reply, of = browser): Promise<Reply> {
  const { action, execution } = formIn(page);
  return of.send('POST', `${BASE_URL}${action}`, { execution });
}

describe('the form of the question', () => {
  const asked = (): Promise<Reply> =>
    end({ client_id: 'web', post_logout_redirect_uri: BYE, state: 's' });
  const again = `/cas/oidc/session/end?client_id=web&post_logout_redirect_uri=${encodeURIComponent(BYE)}&state=s`;

  test('ends the session, and goes on', async () => {
    await idTokenOf();
    const reply = await confirm(await asked());
    expect([reply.status, reply.headers.location]).toEqual([302, `${BYE}?state=s`]);
    expect(await isSignedIn()).toBe(false);
  });

  test.each<[string, Parameters]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a site of the same domain', { 'sec-fetch-site': 'same-site' }],
    ['another origin, by an old browser', { origin: 'https://evil.example.com' }],
  ])('is refused from %s', async (_, headers) => {
    await idTokenOf();
    const { action, execution } = formIn(await asked());
    const reply = await http('POST', sso.url, action, {
      headers: { cookie: `TGC=${browser.valueOf('TGC')}`, accept: 'text/html', ...headers },
      form: { execution },
    });
    expect(reply.status).toBe(403);
    expect(await isSignedIn()).toBe(true);
  });

  test.each<[string, string | undefined]>([
    ['without its state', undefined],
    ['with a state of one’s own', 'eyJ'],
  ])('is refused %s', async (_, execution) => {
    await idTokenOf();
    const form: Parameters = execution === undefined ? {} : { execution };
    const reply = await browser.send('POST', `${END}/confirm`, form);
    await expectRefusal(reply, 'the form is not from this server');
  });

  test('asks again, where it is of another session', async () => {
    const attacker = new CookieBrowser(sso.url);
    await attacker.signIn(ANN);
    const page = await end(
      { client_id: 'web', post_logout_redirect_uri: BYE, state: 's' },
      attacker,
    );
    await idTokenOf();
    const reply = await confirm(page);
    expect([reply.status, reply.headers.location]).toEqual([303, again]);
    expect(await isSignedIn()).toBe(true);
  });

  test('asks again, where it is sent again after another login', async () => {
    await idTokenOf();
    const page = await asked();
    await confirm(page);
    expect((await confirm(page)).headers.location).toBe(`${BYE}?state=s`);
    await idTokenOf();
    const reply = await confirm(page);
    expect([reply.status, reply.headers.location]).toEqual([303, again]);
    expect(await isSignedIn()).toBe(true);
  });

  test('of a page without a client ends the session, and stays', async () => {
    await idTokenOf();
    const reply = await confirm(await end({ post_logout_redirect_uri: BYE }));
    expect([reply.status, reply.headers.location]).toEqual([200, undefined]);
    expect(reply.body).toContain('You are signed out');
    expect(await isSignedIn()).toBe(false);
  });

  test('does not go on to a URI that was removed since', async () => {
    await idTokenOf('other');
    const page = await end({ client_id: 'other', post_logout_redirect_uri: OTHER_BYE });
    await poolOf(sso.database.dataSource).query(
      `update registered_service set enabled = false where name = 'other'`,
    );
    await sso.refreshServices();
    const reply = await confirm(page);
    expect([reply.status, reply.headers.location]).toEqual([200, undefined]);
    expect(await isSignedIn()).toBe(false);
  });
});
