// The tests that the code of every page in docs/clients runs: sign-in, refused tickets, renew, gateway, sign-out, single logout.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { RELEASED, type RunningService, startService, USER } from '../running-service.js';
import { CookieBrowser, type Visit } from '../web/cookie-browser.js';
import { START_TIMEOUT_MS, type WebApplication } from '../web/web-program.js';

export interface Guide {
  /** Where tickets for `/private` come: a path, with a query if it has one. */
  readonly callback: string;
  /** The page that everybody may see; by default `/`. */
  readonly open?: string;
  /** The status for a refused ticket. */
  readonly refusal: number;
  /** @param server base URL of the SSO, without a slash at the end */
  start(server: string): Promise<WebApplication>;
}

/** Shorter than the time for a test. */
const LOGOUT_MS = 10_000;
const SIGNED_IN = { user: USER, mail: RELEASED.mail[0] };

/** What a page of the application tells about its user, in JSON. */
function shownBy({ body }: Pick<Visit, 'body'>): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

export function testGuide({
  callback,
  open = '/',

  refusal,
  start,
}: Guide): void {
  let server: RunningService;
  let application: WebApplication;
  let browser: CookieBrowser;

  beforeAll(async () => {
    // The dialect of `npm start`.
    server = await startService('documented');
    application = await start(server.url.replace(/\/$/, ''));
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await application?.stop();
    await server?.stop();
  });
  beforeEach(() => {
    browser = new CookieBrowser();
  });

  const show = async (path: string): Promise<unknown> =>
    shownBy(await browser.open(`${application.url}${path}`));
  const signIn = (path: string): Promise<Visit> => browser.login(`${application.url}${path}`);
  const asksForPassword = async (url: string): Promise<boolean> =>
    (await browser.open(url)).body.includes('name="password"');
  /** Comes back from the login page with this ticket. */
  const comeBackWith = async (ticket: string): Promise<Visit> => {
    await browser.open(`${application.url}/private`);
    const separator = callback.includes('?') ? '&' : '?';
    return browser.open(`${application.url}${callback}${separator}ticket=${ticket}`);
  };
  const service = (): string => `${application.url}${callback}`;

  test('signs a user in, and knows him with his attributes from then on', async () => {
    const visit = await signIn('/private');
    expect(shownBy(visit)).toEqual(SIGNED_IN);
    expect(visit.url.href).not.toContain('ticket=');
    // Its own session is enough.
    browser.forget(server.url);
    expect(await show('/private')).toEqual(SIGNED_IN);
    expect(await show(open)).toEqual(SIGNED_IN);
  });

  test('needs no form where the user has signed in to another application', async () => {
    await browser.login(`${server.url}login`);
    expect(await show('/private')).toEqual(SIGNED_IN);
  });

  test('takes a ticket of its own service', async () => {
    expect(shownBy(await comeBackWith(await server.ticketFor(service())))).toEqual(SIGNED_IN);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['a ticket that nobody issued', () => 'ST-0aaaaaaaaaaaaaaaaaaaaaa'],
    ['a ticket of another page', () => server.ticketFor(`${application.url}/other`)],
    [
      'a ticket with a service of its own choice behind it',
      async () => {
        const other = `${application.url}/other`;
        return `${await server.ticketFor(other)}%26service=${encodeURIComponent(other)}`;
      },
    ],
  ])('refuses %s', async (_what, ticket) => {
    expect(shownBy(await comeBackWith(await ticket()))).not.toEqual(SIGNED_IN);
    expect(await asksForPassword(`${application.url}/private`)).toBe(true);
  });

  test(`answers a refused ticket with status ${refusal}, and does not repeat it`, async () => {
    const { status, body } = await comeBackWith('ST-0aaaaaaaaaaaaaaaaaaaaaa');
    expect(status).toBe(refusal);
    expect(body).not.toContain('ST-0aaa');
  });

  test('signs nobody in while tickets cannot be validated', async () => {
    const ticket = await server.ticketFor(service());
    await browser.open(`${application.url}/private`);
    const answer = await server.withoutDatabase(() => comeBackWith(ticket));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).not.toContain('mail');
  });

  test('shows its open page to everybody, and knows by the gateway who has a session', async () => {
    expect(await show(open)).toEqual({ user: null, mail: null });
    expect(await show(open)).toEqual({ user: null, mail: null });
    browser = new CookieBrowser();
    await browser.login(`${server.url}login`);
    expect(await show(open)).toEqual(SIGNED_IN);
  });

  test('asks for the password again where it demands that, and once', async () => {
    await signIn('/private');
    expect(await asksForPassword(`${application.url}/confirm`)).toBe(true);
    expect(shownBy(await signIn('/confirm'))).toEqual(SIGNED_IN);
    expect(await show('/confirm')).toEqual(SIGNED_IN);
    expect(await show('/private')).toEqual(SIGNED_IN);
  });

  test('refuses there a ticket without a new password', async () => {
    await signIn('/private');
    const { url } = await browser.open(`${application.url}/confirm`);
    // As a user could in the address bar.
    url.searchParams.delete('renew');
    const visit = browser.open(url);
    expect(await visit.then(shownBy, () => 'no page')).not.toEqual(SIGNED_IN);
    expect(await show('/confirm').catch(() => 'no page')).not.toEqual(SIGNED_IN);
  });

  test('signs out of the application and of the server', async () => {
    await signIn('/private');
    await browser.open(`${application.url}/sign-out`);
    expect(await asksForPassword(`${server.url}login`)).toBe(true);
    await until('it asks', () => asksForPassword(`${application.url}/private`), LOGOUT_MS);
  });

  test('ends its session when the user signs out of the server', async () => {
    await signIn('/private');
    expect(await show('/private')).toEqual(SIGNED_IN);
    await browser.open(`${server.url}logout`);
    await until('it asks', () => asksForPassword(`${application.url}/private`), LOGOUT_MS);
  });

  test('ends no session by a message with another ticket', async () => {
    await signIn('/private');
    const logoutRequest =
      '<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="LR-1" Version="2.0">' +
      '<samlp:SessionIndex>ST-0aaaaaaaaaaaaaaaaaaaaaa</samlp:SessionIndex></samlp:LogoutRequest>';
    const body = new URLSearchParams({ logoutRequest });
    await fetch(service(), { method: 'POST', body, redirect: 'manual' });
    // Otherwise the server would sign him in again.
    browser.forget(server.url);
    expect(await show('/private')).toEqual(SIGNED_IN);
  });
}
