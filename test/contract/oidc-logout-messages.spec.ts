// How OpenID Connect clients are told of the end of a session: by logout tokens, and by frames of the logout page.
// @see OpenID Connect Back-Channel Logout 1.0, OpenID Connect Front-Channel Logout 1.0
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { type NewService, ServiceStore } from '@tessera/services';
import { LOGOUT_MESSAGES_CHANNEL, parseTicketId } from '@tessera/tickets';
import { SealingKey } from '../../apps/sso/src/login/login-key.js';
import { Browser, loginPath, ticketIn } from '../support/browser.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import { http, type Reply } from '../support/http.js';
import { answer, LogoutReceiver, sessionIndexIn } from '../support/logout-receiver.js';
import { discover, oidcClient, startOidc, tokensOf } from '../support/oidc-client.js';
import { partsOf, verifiedToken } from '../support/signed-tokens.js';
import { BASE_URL, startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';
import { validate } from '../support/validation.js';

const ISSUER = `${BASE_URL}/oidc`;

let receiver: LogoutReceiver;
let sso: Sso;
let browser: CookieBrowser;

const urlOf = (path: string): string => `${receiver.url}${path}`;

/** Told by the back channel, at a path with its name. */
const clientOf = (clientId: string, service: Partial<NewService> = {}): NewService =>
  oidcClient(
    clientId,
    {},
    {
      logoutType: 'back',
      logoutUrl: urlOf(`/${clientId}`),
      ...service,
    },
  );

beforeAll(async () => {
  receiver = await LogoutReceiver.start();
  sso = await startOidc({
    settings: ['--sso.outgoing.allowed-addresses=127.0.0.1'],
    services: [
      clientOf('back'),
      oidcClient(
        'elliptic',
        { idTokenAlgorithm: 'ES256' },
        { logoutType: 'back', logoutUrl: urlOf('/elliptic') },
      ),
      clientOf('pseudonym', { name: 'Pseudonym <x>', usernameAttribute: { kind: 'anonymous' } }),
      clientOf('by-mail', {
        attributeRelease: { kind: 'all' },
        usernameAttribute: { kind: 'attribute', name: 'mail' },
      }),
      clientOf('twice', { logoutUrl: `${urlOf('/first?a=1')},${urlOf('/second')}` }),
      clientOf('disabled'),
      clientOf('removed'),
      clientOf('never', { logoutType: 'none' }),
      clientOf('nowhere', { logoutUrl: null }),
      clientOf('front', { logoutType: 'front', logoutUrl: 'https://front.example.org/out?a=1#b' }),
      {
        name: 'Wiki',
        serviceId: `^${receiver.url.replaceAll('.', '\\.')}/wiki`,
        logoutType: 'back',
      },
    ],
  });
});
beforeEach(() => {
  browser = new CookieBrowser(sso.url);
  receiver.received.length = 0;
});
afterAll(async () => {
  await sso?.close();
  await receiver?.stop();
});

/** Signs in to a client. @returns its ID token */
async function signIn(clientId: string): Promise<string> {
  if (!browser.has('TGC')) await browser.signIn();
  const { id_token: token = '' } = await tokensOf(await discover(sso, clientId), browser);
  return token;
}

const tokensTo = (path: string): readonly string[] =>
  receiver.received
    .filter((each) => each.path === path)
    .map(({ body }) => new URLSearchParams(body).get('logout_token') ?? body);

const tokenTo = (path: string): Promise<string> =>
  until(`a token to ${path}`, () => tokensTo(path)[0]);

const logOut = (): Promise<Reply> => browser.send('GET', `${BASE_URL}/logout`);

const sql = (text: string, values: readonly unknown[] = []) =>
  poolOf(sso.database.dataSource).query(text, [...values]);

const isQueued = async (clientId: string): Promise<boolean> =>
  (await sql('select from logout_message where service = $1', [clientId])).rowCount !== 0;

describe('a client that refuses a token gets the same message again, signed anew', () => {
  test.each([302, 303, 400, 404, 500, 503])('after status %d', async (status) => {
    const answers = [answer(status, { location: urlOf('/elsewhere') })];
    receiver.behave('/back', (...call) => (answers.shift() ?? answer(200))(...call));
    await signIn('back');
    await logOut();
    await until('the second attempt', async () => {
      // One that is under way stays alone: on a slow machine the server sends it again before this does.
      const { rows } = await sql(
        'update logout_message set next_attempt_at = now() where attempts > 0 and not taken returning last_error',
      );
      for (const row of rows) {
        expect(row).toEqual({ last_error: `It answered with status ${status}` });
      }
      await sql('select pg_notify($1, $2)', [LOGOUT_MESSAGES_CHANNEL, '']);
      return tokensTo('/back').length > 1;
    });
    await until('it is done', async () => !(await isQueued('back')));
    const [first = '', second = ''] = tokensTo('/back');
    const tokens = [await verifiedToken(sso, first), await verifiedToken(sso, second)];
    expect(tokens[1]?.payload['jti']).toBe(tokens[0]?.payload['jti']);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/back', '/back']);
  });
});

test.each([200, 202, 204])('status %d takes the token', async (status) => {
  receiver.behave('/back', answer(status));
  await signIn('back');
  await logOut();
  await tokenTo('/back');
  await until('it is done', async () => !(await isQueued('back')));
  expect(tokensTo('/back')).toHaveLength(1);
});

describe('the token', () => {
  test.each<[clientId: string, alg: string, sub: string | undefined]>([
    ['back', 'RS256', 'casuser'],
    ['elliptic', 'ES256', 'casuser'],
    ['pseudonym', 'RS256', 'of the ID token'],
    ['by-mail', 'RS256', undefined],
  ])('for %s', async (clientId, alg, sub) => {
    const { payload: known } = partsOf(await signIn(clientId));
    const before = Math.floor(Date.now() / 1_000);
    await logOut();
    const { header, payload } = await verifiedToken(sso, await tokenTo(`/${clientId}`));
    expect(header).toEqual({ alg, typ: 'logout+jwt', kid: expect.any(String) });
    const { iat, exp } = payload as { readonly iat: number; readonly exp: number };
    expect(payload).toEqual({
      iss: ISSUER,
      aud: clientId,
      ...(sub !== undefined && { sub: sub === 'of the ID token' ? known['sub'] : sub }),
      sid: known['sid'],
      jti: expect.stringMatching(/^LR-[0-9a-f]{32}$/),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      iat,
      exp,
    });
    expect(iat - before).toBeGreaterThanOrEqual(0);
    expect(exp - iat).toBe(120);
    const { method, headers } =
      receiver.received.find((each) => each.path === `/${clientId}`) ?? {};
    expect([method, headers?.['content-type']]).toEqual([
      'POST',
      'application/x-www-form-urlencoded',
    ]);
  });

  test('has one jti for each logout URL of the client', async () => {
    await signIn('twice');
    await logOut();
    const tokens = [await tokenTo('/first?a=1'), await tokenTo('/second')].map(partsOf);
    const [first, second] = tokens.map(({ payload }) => payload['jti']);
    expect(first).not.toBe(second);
    expect(tokens[0]?.payload['sid']).toBe(tokens[1]?.payload['sid']);
  });
});

describe('told are', () => {
  test('not a client with logout type none or without a URL, and each other once', async () => {
    for (const each of ['never', 'nowhere', 'back', 'back']) await signIn(each);
    const { rows } = await sql('select service from session_service');
    expect(rows).toContainEqual({ service: 'back' });
    expect(rows).not.toContainEqual({ service: 'never' });
    expect(rows).not.toContainEqual({ service: 'nowhere' });
    await logOut();
    await tokenTo('/back');
    await until('it is done', async () => !(await isQueued('back')));
    expect(receiver.received.map(({ path }) => path)).toEqual(['/back']);
  });

  test('a client that was disabled since, and not one that was removed', async () => {
    const { payload } = partsOf(await signIn('disabled'));
    await signIn('removed');
    await sql(`update registered_service set enabled = false where name = 'disabled'`);
    await sql(`delete from registered_service where name = 'removed'`);
    await sso.refreshServices();
    await logOut();
    const told = await verifiedToken(sso, await tokenTo('/disabled'));
    expect(told.payload['sid']).toBe(payload['sid']);
    await until('the other message is dropped', async () => !(await isQueued('removed')));
    expect(tokensTo('/removed')).toEqual([]);
  });
});

test('the page of the session names the clients that are told', async () => {
  for (const each of ['pseudonym', 'never']) await signIn(each);
  const { body } = await browser.send('GET', `${BASE_URL}/login`);
  const [, list] = /<h2>Your applications<\/h2>\n<ul>([^]*?)<\/ul>/.exec(body) ?? [];
  expect(list?.match(/<li>.*<\/li>/g)).toEqual(['<li>Pseudonym &lt;x&gt;</li>']);
});

describe('a session ends by', () => {
  const tgtOf = async (): Promise<string> => {
    const key = sso.application.get(SealingKey, { strict: false });
    const content = await key.open('session-cookie', browser.valueOf('TGC') ?? '');
    return (content as { readonly tgt: string }).tgt;
  };

  test.each<[string, (idToken: string) => Promise<unknown>]>([
    ['the logout page', logOut],
    ['the client', (hint) => browser.send('GET', `${ISSUER}/session/end?id_token_hint=${hint}`)],
    ['REST', async () => http('DELETE', sso.url, `/v1/tickets/${await tgtOf()}`)],
    [
      'its expiry',
      () => sql(`update ticket_granting_ticket set expires_at = now() - interval '1 second'`),
    ],
    [
      'an operator',
      async () => {
        const [session] = await sso.tickets.sessions.list({ principal: 'casuser', limit: 1 });
        return sso.tickets.sessions.end(session?.handle ?? '');
      },
    ],
    [
      'another session of the user, as after a change of the password',
      async () => {
        const other = new Browser(sso.url);
        await other.login();
        return other.post('/login/sessions', {}, { 'sec-fetch-site': 'same-origin' });
      },
    ],
  ])('%s', async (_, end) => {
    const idToken = await signIn('back');
    expect(parseTicketId(await tgtOf())?.kind).toBe('TGT');
    await end(idToken);
    const { payload } = await verifiedToken(sso, await tokenTo('/back'));
    expect(payload['sid']).toBe(partsOf(idToken).payload['sid']);
  });
});

describe('a CAS application and a client in one session: each is told', () => {
  const visitWiki = async (): Promise<string> => {
    const service = urlOf('/wiki');
    const ticket = ticketIn(await browser.send('GET', `${BASE_URL}${loginPath(service)}`));
    expect((await validate(sso, '/serviceValidate', { service, ticket })).status).toBe(200);
    return ticket;
  };

  test.each<[string, (idToken: string) => Promise<Reply>, number]>([
    [
      'when the CAS application signs out',
      () => browser.send('GET', `${BASE_URL}/logout?service=${encodeURIComponent(urlOf('/wiki'))}`),
      302,
    ],
    [
      'when the client signs out',
      (hint) => browser.send('GET', `${ISSUER}/session/end?id_token_hint=${hint}`),
      200,
    ],
  ])('%s', async (_, signOut, status) => {
    const idToken = await signIn('back');
    const ticket = await visitWiki();
    expect((await signOut(idToken)).status).toBe(status);
    const { payload } = await verifiedToken(sso, await tokenTo('/back'));
    expect(payload['sid']).toBe(partsOf(idToken).payload['sid']);
    const message = await until('a message to the wiki', () => receiver.messagesTo('/wiki')[0]);
    expect(sessionIndexIn(message)).toBe(ticket);
  });
});

describe('the front channel', () => {
  const framesIn = ({ body }: Reply): readonly string[] =>
    [...body.matchAll(/<iframe src="([^"]*)"/g)].map(([, src = '']) =>
      src.replaceAll('&amp;', '&'),
    );

  test.each<[string, (hint: string) => string]>([
    ['/logout', () => `${BASE_URL}/logout`],
    ['/oidc/session/end', (hint) => `${ISSUER}/session/end?id_token_hint=${hint}`],
  ])('is called by the page of %s', async (_, addressOf) => {
    const idToken = await signIn('front');
    const reply = await browser.send('GET', addressOf(idToken));
    const sid = String(partsOf(idToken).payload['sid']);
    const query = new URLSearchParams({ iss: ISSUER, sid }).toString();
    expect(framesIn(reply)).toEqual([`https://front.example.org/out?a=1&${query}`]);
    expect(reply.headers['content-security-policy']).toContain(
      'frame-src https://front.example.org;',
    );
  });

  test('is not called for a client that was disabled since', async () => {
    await signIn('front');
    await sql(`update registered_service set enabled = false where name = 'front'`);
    await sso.refreshServices();
    expect(framesIn(await logOut())).toEqual([]);
    await sql(`update registered_service set enabled = true where name = 'front'`);
    await sso.refreshServices();
  });
});

test.each([true, false])('discovery tells whether clients are told: %s', async (isTold) => {
  const other = isTold
    ? sso
    : await startOidc({
        settings: ['--sso.logout.enabled=false'],
        services: [clientOf('back')],
      });
  try {
    const metadata = (await discover(other, 'back')).serverMetadata();
    expect(metadata).toMatchObject({
      end_session_endpoint: `${ISSUER}/session/end`,
      backchannel_logout_supported: isTold,
      backchannel_logout_session_supported: isTold,
      frontchannel_logout_supported: isTold,
      frontchannel_logout_session_supported: isTold,
    });
    browser = new CookieBrowser(other.url);
    await browser.signIn();
    await tokensOf(await discover(other, 'back'), browser);
    const { rowCount } = await poolOf(other.database.dataSource).query(
      'select from session_service',
    );
    expect(rowCount === 0).toBe(!isTold);
  } finally {
    if (!isTold) await other.close();
  }
});

test('a node without the module drops the messages', async () => {
  const plain = await startSso();
  try {
    await ServiceStore.of(plain.database.dataSource).add(clientOf('back'));
    await plain.refreshServices();
    await plain.login();
    const [session] = await plain.tickets.sessions.list({ principal: 'casuser', limit: 1 });
    const signedIn = { protocol: 'oidc', application: 'back', sessionIndex: 'sid' } as const;
    if (session === undefined) throw new Error('there is no session');
    expect(await plain.tickets.recordApplication(session.handle, signedIn)).toBe(true);
    await plain.tickets.sessions.end(session.handle);
    await until('it is dropped', async () => {
      const { pending, failed } = await plain.tickets.logoutQueue.counts();
      return pending + failed === 0;
    });
    expect(receiver.received).toEqual([]);
  } finally {
    await plain.close();
  }
});
