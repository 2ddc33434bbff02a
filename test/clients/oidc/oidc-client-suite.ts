// The tests that every OpenID Connect client runs: sign-in, claims, refresh, forged requests, CAS in the same session, logout.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newKeyFile } from '@tessera/crypto';
import { freePort } from '../../support/free-port.js';
import { http } from '../../support/http.js';
import { LogoutReceiver } from '../../support/logout-receiver.js';
import { until } from '../../support/until.js';
import { RELEASED, type RunningService, startService, USER } from '../running-service.js';
import { CookieBrowser, type Visit } from '../web/cookie-browser.js';
import { START_TIMEOUT_MS, startWebProgram } from '../web/web-program.js';
import type { WebApplication, WebProgram } from '../web/web-program.js';
import { registerClient, updateClient } from './registered-client.js';

/** What the program of a client gets. */
export interface OidcClientSettings {
  readonly issuer: string;
  /** Origin of the application. */
  readonly site: string;
  readonly port: number;
  /** Empty for a public client. */
  readonly secret: string;
  readonly folder: string;
}

export type Shown = Pick<Visit, 'body' | 'url'>;

export interface OidcBrowser {
  open(address: string): Promise<Shown>;
  /** Opens a page that leads to the login form, and sends it. */
  login(address: string): Promise<Shown>;
}

export interface OidcClient {
  /** Its page in docs/clients. */
  readonly page: string;
  /** Where it differs from {@link PATHS}. */
  readonly paths?: Partial<typeof PATHS>;
  program(settings: OidcClientSettings): Promise<WebProgram>;
  /** Whether it takes logout tokens. The others learn of a logout when their tokens are refused. */
  readonly hasBackChannel?: boolean;
  /** A browser that runs scripts. @param edit changes addresses before they are opened */
  browser?(edit: (url: URL) => void): OidcBrowser;
}

const PATHS = {
  /** Shows the user of the session of the application to everybody. */
  open: '/',
  /** Signs the user in, and shows the claims of userinfo. */
  private: '/private',
  idToken: '/id-token',
  signOut: '/sign-out',
};

/** Shorter than the time for a test. */
const LOGOUT_MS = 10_000;
const NOBODY = { user: null, mail: null };
const [MAIL = ''] = RELEASED.mail;
const SIGNED_IN = { user: USER, mail: MAIL };

/** Changes of the authorization request, as an attacker would; and whether the server issues tokens then. */
const FORGED: readonly (readonly [
  what: string,
  change: (query: URLSearchParams) => void,
  issued: boolean,
])[] = [
  ['the nonce of another request', (query) => query.set('nonce', 'x'.repeat(43)), true],
  ['the state of another request', (query) => query.set('state', 'x'.repeat(43)), false],
  ['another PKCE challenge', (query) => query.set('code_challenge', 'x'.repeat(43)), false],
  [
    'no PKCE challenge',
    (query) => {
      query.delete('code_challenge');
      query.delete('code_challenge_method');
    },
    false,
  ],
];

/** What a page tells about its user, in JSON; the text of another page. */
function shownBy({ body }: Shown): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

export function testOidcClient(client: OidcClient): void {
  const paths = { ...PATHS, ...client.paths };
  const newBrowser = (change: (query: URLSearchParams) => void = () => {}): OidcBrowser => {
    const edit = (url: URL): void => {
      if (url.pathname.endsWith('/oidc/authorize')) change(url.searchParams);
    };
    return client.browser?.(edit) ?? new CookieBrowser(edit);
  };
  let server: RunningService;
  let application: WebApplication;
  let casApplication: LogoutReceiver;
  let browser: OidcBrowser;

  beforeAll(async () => {
    const port = await freePort();
    server = await startService('apereo', undefined, [
      '--sso.modules=login,oidc,rest',
      `--sso.oidc.sealing-keys=${newKeyFile('test').trim()}`,
      `--sso.port=${port}`,
      `--sso.base-url=http://127.0.0.1:${port}/cas`,
    ]);
    application = await startWebProgram(async (sitePort, folder) => {
      const site = `http://127.0.0.1:${sitePort}`;
      const secret = await registerClient(server, client.page, site);
      const issuer = `${server.url}oidc`;
      return client.program({ issuer, site, port: sitePort, secret, folder });
    });
    casApplication = await LogoutReceiver.start();
  }, 2 * START_TIMEOUT_MS);
  afterAll(async () => {
    await application?.stop();
    await casApplication?.stop();
    await server?.stop();
  });
  beforeEach(() => {
    browser = newBrowser();
  });

  const addressOf = (page: keyof typeof PATHS): string => `${application.url}${paths[page]}`;
  const show = async (page: keyof typeof PATHS): Promise<unknown> =>
    shownBy(await browser.open(addressOf(page)));
  const signIn = async (): Promise<unknown> => shownBy(await browser.login(addressOf('private')));
  /** The user of the ticket that the CAS application has got. */
  const validate = async ({ searchParams }: URL): Promise<unknown> => {
    const ticket = searchParams.get('ticket') ?? '';
    const query = new URLSearchParams({ service: `${casApplication.url}/`, ticket }).toString();
    const { body } = await http('GET', server.url, `/validate?${query}`);
    return body.split('\n')[1];
  };
  const asksForPassword = async (address: string): Promise<boolean> =>
    (await browser.open(address)).body.includes('name="password"');
  const rowsOf = async (condition: string): Promise<number> => {
    const [row] = await server.database.dataSource.query<{ n: number }[]>(
      `select count(*)::int as n from oidc_token where ${condition}`,
    );
    return row?.n ?? 0;
  };
  const casLogin = (): string =>
    `${server.url}login?${new URLSearchParams({ service: `${casApplication.url}/` }).toString()}`;

  test('signs a user in, and shows the claims of userinfo', async () => {
    expect(await show('open')).toEqual(NOBODY);
    expect(await signIn()).toEqual(SIGNED_IN);
    expect(await show('private')).toEqual(SIGNED_IN);
    expect(await show('open')).toEqual(SIGNED_IN);
  });

  test('has claims in the ID token as well, if the client is registered so', async () => {
    await signIn();
    expect(await show('idToken')).toEqual({ user: USER, mail: null });
    await updateClient(server, '--claims-in-id-token');
    await until('they are there', async () => {
      browser = newBrowser();
      await signIn();
      return (await browser.open(addressOf('idToken'))).body.includes(MAIL);
    });
    expect(await show('idToken')).toEqual(SIGNED_IN);
  });

  test('gets new tokens by its refresh token, once the access token has expired', async () => {
    await updateClient(server, '--access-token-lifetime', '1');
    try {
      await until('tokens expire at once', async () => {
        browser = newBrowser();
        await signIn();
        return (
          (await rowsOf(`model = 'AccessToken' and expires_at < now() + interval '2 seconds'`)) > 0
        );
      });
      const isRefreshed = async (): Promise<boolean> => {
        expect(await show('private')).toEqual(SIGNED_IN);
        return (await rowsOf(`model = 'RefreshToken' and consumed_at is not null`)) > 0;
      };
      await until('a refresh token is redeemed', isRefreshed);
    } finally {
      await updateClient(server, '--access-token-lifetime', '300');
    }
  });

  for (const [what, change, issued] of FORGED) {
    test(`signs nobody in by a request with ${what}`, async () => {
      const before = await rowsOf(`model = 'AccessToken'`);
      browser = newBrowser(change);
      const visit = await browser.login(casLogin()).then(() => browser.open(addressOf('private')));
      expect(visit.body).not.toContain(MAIL);
      expect((await rowsOf(`model = 'AccessToken'`)) > before).toBe(issued);
      expect(await show('open')).toEqual(NOBODY);
    });
  }

  test('needs no form where the user has signed in to a CAS application', async () => {
    await browser.login(casLogin());
    expect(await show('private')).toEqual(SIGNED_IN);
  });

  test('its sign-in is enough for a CAS application', async () => {
    await signIn();
    expect(await validate((await browser.open(casLogin())).url)).toBe(USER);
  });

  test('its sign-out ends the session at the server, tells a CAS application, and comes back', async () => {
    await signIn();
    expect(await validate((await browser.open(casLogin())).url)).toBe(USER);
    const told = casApplication.messagesTo('/').length;
    expect(await show('signOut')).toEqual(NOBODY);
    expect(await asksForPassword(casLogin())).toBe(true);
    expect(await asksForPassword(addressOf('private'))).toBe(true);
    await until('the message', () => casApplication.messagesTo('/').length > told, LOGOUT_MS);
  });

  test('asks for the password again when the user has signed out at the server', async () => {
    await signIn();
    await browser.open(`${server.url}logout`);
    const asks = (): Promise<boolean> => asksForPassword(addressOf('private'));
    await until('it asks', asks, LOGOUT_MS);
  });

  const testBackChannel = client.hasBackChannel === true ? test : test.skip;
  testBackChannel('is told by the back channel of a logout at the server', async () => {
    await signIn();
    expect(await show('open')).toEqual(SIGNED_IN);
    await browser.open(`${server.url}logout`);
    const isTold = async (): Promise<boolean> =>
      !(await browser.open(addressOf('open'))).body.includes(MAIL);
    await until('its session has ended', isTold, LOGOUT_MS);
    expect(await show('open')).toEqual(NOBODY);
  });
}
