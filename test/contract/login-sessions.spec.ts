// Remembered sessions, and the list of a user's other sessions.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { poolOf } from '@tessera/database';
import { Browser, GOOD, loginPath, ticketIn } from '../support/browser.js';
import { http } from '../support/http.js';
import { APP, startSso, type Sso } from '../support/sso.js';
import { validate } from '../support/validation.js';

const REMEMBER = { ...GOOD, rememberMe: 'true' };
const DAYS = 86_400;

let sso: Sso;
let browser: Browser;

beforeAll(async () => {
  sso = await startSso({
    settings: ['--sso.authentication.static.users=casuser::Mellon,bob::Builder'],
  });
});
beforeEach(async () => {
  await poolOf(sso.database.dataSource).query('delete from ticket_granting_ticket');
  browser = new Browser(sso.url);
});
afterAll(() => sso.close());

const cookieOf = (reply: Awaited<ReturnType<Browser['get']>>): string =>
  String(reply.headers['set-cookie']).replace(/^TGC=[^;]+/, 'TGC');

/** Seconds that the sessions of the database have left, and whether a use could shorten that. */
async function lifetimes(): Promise<readonly (readonly [number, boolean])[]> {
  const { rows } = await poolOf(sso.database.dataSource).query<{
    left: number;
    remembered: boolean;
  }>(
    'select round(extract(epoch from expires_at - now()) / 60)::int * 60 as left, remembered from ticket_granting_ticket',
  );
  return rows.map(({ left, remembered }) => [left, remembered] as const);
}

describe('remember-me', () => {
  test('gives cookie and session a lifetime of their own', async () => {
    const reply = await browser.login(loginPath(APP), REMEMBER);
    expect(cookieOf(reply)).toMatch(
      /^TGC; Path=\/cas; HttpOnly; SameSite=Lax; Secure; Max-Age=1209(600|59\d)$/,
    );
    expect(await lifetimes()).toEqual([[14 * DAYS, true]]);
    const { body } = await validate(sso, '/p3/serviceValidate', {
      service: APP,
      ticket: ticketIn(reply),
    });
    for (const line of [
      '<cas:longTermAuthenticationRequestTokenUsed>true</cas:longTermAuthenticationRequestTokenUsed>',
      '<cas:credentialType>RememberMeUsernamePasswordCredential</cas:credentialType>',
      '<cas:samlAuthenticationStatementAuthMethod>urn:oasis:names:tc:SAML:1.0:am:password</cas:samlAuthenticationStatementAuthMethod>',
    ]) {
      expect(body).toContain(line);
    }
  });

  test('is not assumed', async () => {
    const reply = await browser.login(loginPath(APP));
    expect(cookieOf(reply)).toBe('TGC; Path=/cas; HttpOnly; SameSite=Lax; Secure');
    expect(await lifetimes()).toEqual([[7_200, false]]);
  });

  test('asks for credentials where an application demands them, and stays', async () => {
    await browser.login(loginPath(APP), REMEMBER);
    const renew = loginPath(APP, { renew: 'true' });
    expect((await browser.get(renew)).status).toBe(200);
    const reply = await browser.login(renew);
    expect(cookieOf(reply)).toMatch(/Max-Age=1209(600|59\d)$/);
    expect(await lifetimes()).toEqual([[14 * DAYS, true]]);
  });

  test('chosen at a later login replaces the session', async () => {
    await browser.login(loginPath(APP));
    await browser.login(loginPath(APP, { renew: 'true' }), REMEMBER);
    expect(await lifetimes()).toEqual([[14 * DAYS, true]]);
  });

  test.each([
    ['rememberMe', false],
    ['warn', true],
  ] as const)(
    'is no choice that a link makes, other than the one to be asked: %s %s',
    async (name, isMade) => {
      const checked = (body: string): boolean =>
        body.includes(`name="${name}" value="true" checked`);
      expect(checked((await browser.get(loginPath(APP))).body)).toBe(false);
      expect(checked((await browser.get(loginPath(APP, { [name]: 'true' }))).body)).toBe(isMade);
      const wrong = { username: 'casuser', password: 'x', [name]: 'true' };
      expect(checked((await browser.login(loginPath(APP), wrong)).body)).toBe(true);
    },
  );

  test('is neither offered nor taken where its lifetime is 0', async () => {
    await sso.reconfigure({ 'sso.tickets.tgt.remember-me-lifetime': '0s' });
    expect((await browser.get(loginPath(APP))).body).not.toContain('rememberMe');
    const reply = await browser.login(loginPath(APP), REMEMBER);
    expect(cookieOf(reply)).not.toContain('Max-Age');
    expect(await lifetimes()).toEqual([[7_200, false]]);
    await sso.reconfigure({ 'sso.theme.footer': '' });
  });
});

describe('a further login of the same user', () => {
  const RENEW = loginPath(APP, { renew: 'true' });
  const validated = async (reply: Awaited<ReturnType<Browser['get']>>): Promise<string> =>
    (await validate(sso, '/p3/serviceValidate', { service: APP, ticket: ticketIn(reply) })).body;
  const timeIn = (body: string): number =>
    Date.parse(/<cas:authenticationDate>([^<]*)</.exec(body)?.[1] ?? '');
  /** Makes the logins of all sessions older than they are. */
  const age = () =>
    poolOf(sso.database.dataSource).query(
      `update ticket_granting_ticket set authenticated_at = now() - interval '1 hour'`,
    );
  const sessions = async (): Promise<readonly object[]> =>
    (
      await poolOf(sso.database.dataSource).query<object>(
        `select encode(id, 'hex') as id, methods from ticket_granting_ticket`,
      )
    ).rows;

  test('keeps the session, whose login is the new one from then on', async () => {
    await browser.login(loginPath(APP));
    await age();
    const [before] = await sessions();
    const started = Date.now();
    const old = timeIn(await validated(await browser.get(loginPath(APP))));
    expect(old).toBeLessThan(started - 3_000_000);
    const renewed = timeIn(await validated(await browser.login(RENEW)));
    expect(renewed).toBeGreaterThanOrEqual(started);
    expect(timeIn(await validated(await browser.get(loginPath(APP))))).toBe(renewed);
    expect(await sessions()).toEqual([
      { ...before, methods: [{ method: 'password', at: new Date(renewed).toISOString() }] },
    ]);
  });

  test('leaves a remembered session a remembered one', async () => {
    await browser.login(loginPath(APP), REMEMBER);
    await age();
    const body = await validated(await browser.login(RENEW));
    expect(timeIn(body)).toBeGreaterThan(Date.now() - 3_000_000);
    expect(body).toContain(
      '<cas:credentialType>RememberMeUsernamePasswordCredential</cas:credentialType>',
    );
    expect(await lifetimes()).toEqual([[14 * DAYS, true]]);
  });

  test('that is refused changes nothing', async () => {
    await browser.login(loginPath(APP));
    await age();
    const before = await sessions();
    const wrong = { username: 'casuser', password: 'x' };
    expect((await browser.login(RENEW, wrong)).status).toBe(401);
    expect(timeIn(await validated(await browser.get(loginPath(APP))))).toBeLessThan(
      Date.now() - 3_000_000,
    );
    expect(await sessions()).toEqual(before);
  });

  test('twice at the same time keeps the one session', async () => {
    await browser.login(loginPath(APP));
    await age();
    const [before] = await sessions();
    const forms = [await browser.form(RENEW), await browser.form(RENEW)];
    const replies = await Promise.all(forms.map((form) => browser.submit(form)));
    const times = await Promise.all(replies.map(async (reply) => timeIn(await validated(reply))));
    for (const time of times) expect(time).toBeGreaterThan(Date.now() - 3_000_000);
    expect(await sessions()).toEqual([{ ...before, methods: expect.any(Array) }]);
    expect((await browser.get(loginPath(APP))).status).toBe(302);
  });
});

describe('the other sessions of a user', () => {
  const handlesIn = (body: string): readonly string[] =>
    [...body.matchAll(/name="session" value="([0-9a-f]{64})"/g)].map(([, handle]) => handle ?? '');
  const pageOf = async (of: Browser): Promise<string> => (await of.get('/login')).body;
  const isLive = async (of: Browser): Promise<boolean> =>
    (await of.get(loginPath(APP))).status === 302;

  let others: readonly Browser[];
  beforeEach(async () => {
    others = [new Browser(sso.url), new Browser(sso.url)];
    for (const each of [...others, browser]) await each.login();
  });

  test('are listed, the last used first, without those of other users', async () => {
    const bob = new Browser(sso.url);
    await bob.login('/login', { username: 'bob', password: 'Builder' });
    const handles = handlesIn(await pageOf(browser));
    expect(handles).toHaveLength(2);
    await poolOf(sso.database.dataSource).query(
      `update ticket_granting_ticket set last_used_at = now() where id = '\\x${handles[1]}'`,
    );
    expect(handlesIn(await pageOf(browser))).toEqual(handles.toReversed());
    expect(await pageOf(bob)).not.toContain('Other sessions');
  });

  test('end one by one', async () => {
    const [session = ''] = handlesIn(await pageOf(browser));
    const reply = await browser.post('/login/sessions', { session });
    expect([reply.status, reply.headers.location]).toEqual([302, '/cas/login']);
    expect(handlesIn(await pageOf(browser))).toHaveLength(1);
    expect(await isLive(browser)).toBe(true);
    const live = await Promise.all(others.map(isLive));
    expect(live.toSorted()).toEqual([false, true]);
  });

  test.each([
    [
      'of another user',
      async () => {
        const bob = new Browser(sso.url);
        await bob.login('/login', { username: 'bob', password: 'Builder' });
        return bob;
      },
    ],
    ['without a session', () => Promise.resolve(new Browser(sso.url))],
  ])('are not ended by a request %s', async (_, stranger) => {
    const [session = ''] = handlesIn(await pageOf(browser));
    const from = await stranger();
    expect((await from.post('/login/sessions', { session })).status).toBe(302);
    expect((await from.post('/login/sessions', {})).status).toBe(302);
    expect(await Promise.all([browser, ...others].map(isLive))).toEqual([true, true, true]);
  });

  test.each(['x', "' or true --", 'TGT-1', '', 'ab'.repeat(33)])(
    'are not ended by the name %j',
    async (session) => {
      expect((await browser.post('/login/sessions', { session })).status).toBe(302);
      expect(await Promise.all(others.map(isLive))).toEqual([true, true]);
    },
  );

  test('are not ended by a form of another site', async () => {
    const reply = await browser.post('/login/sessions', {}, { 'sec-fetch-site': 'cross-site' });
    expect(reply.status).toBe(403);
    expect(await Promise.all(others.map(isLive))).toEqual([true, true]);
  });

  test.each([
    ['GET', 200, undefined],
    ['HEAD', 200, undefined],
    ['PUT', 405, 'GET, HEAD, POST'],
  ])('are not ended by %s', async (method, status, allow) => {
    const reply = await http(method, sso.url, '/login/sessions', {
      headers: { cookie: `TGC=${browser.cookie}` },
    });
    expect([reply.status, reply.headers.allow]).toEqual([status, allow]);
    expect(await Promise.all(others.map(isLive))).toEqual([true, true]);
  });

  test('end all at once after a question, which is asked only where there are any', async () => {
    expect(await pageOf(browser)).toContain('<a class="button quiet" href="/cas/login/sessions">');
    const question = await browser.get('/login/sessions');
    expect(question.body).toContain('<h1>End all other sessions?</h1>');
    expect(question.body).toContain('<form method="post" action="/cas/login/sessions">');
    await browser.post('/login/sessions', {});
    expect(await Promise.all([browser, ...others].map(isLive))).toEqual([true, false, false]);
    for (const without of [browser, new Browser(sso.url)]) {
      const { status, headers } = await without.get('/login/sessions');
      expect([status, headers.location]).toEqual([302, '/cas/login']);
    }
  });
});
