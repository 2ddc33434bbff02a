// The tests that every client of a web application runs: login, single sign-on, renew, gateway, proxy, SAML 1.1, logout.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeFolder, removeFolder } from '../../support/folders.js';
import { until } from '../../support/until.js';
import { RELEASED, type RunningService, startService, USER } from '../running-service.js';
import { createTlsFiles, type TlsFiles } from '../tls-files.js';
import { CookieBrowser, type Visit } from './cookie-browser.js';
import { proxyTicketFor } from './proxy-ticket.js';
import { START_TIMEOUT_MS, type WebApplication } from './web-program.js';

/** What a client can do beyond logins, at the path of that name. */
export type Feature =
  'gateway' | 'logout' | 'proxied' | 'proxy' | 'renew' | 'saml' | 'singleLogout';

/** What the program of a client gets. */
export interface WebClientSettings {
  /** Base URL of the SSO, ending in a slash. */
  readonly server: string;
  /** For https. */
  readonly tls: TlsFiles;
  /** A feature of {@link WebClient.programWide} that all its pages have. */
  readonly feature: Feature | undefined;
}

export interface WebClient {
  readonly features: readonly Feature[];
  /** Features by settings of the whole program, which is started once more for each. */
  readonly programWide?: readonly Feature[];
  /** Whether its validations check that the credentials are new; with the feature `renew`. */
  readonly validatesRenew?: boolean;
  /** Whether it speaks to the SSO by https only. */
  readonly needsHttps?: boolean;
  start(settings: WebClientSettings): Promise<WebApplication>;
}

/** What the page of an application tells about its user: in headers, as UTF-8 or percent-encoded. */
function userOf({ status, headers }: Visit): readonly unknown[] {
  const [user, mail] = ['user', 'mail'].map((name) => {
    const bytes = Buffer.from(headers.get(name) ?? '', 'latin1');
    return decodeURIComponent(bytes.toString('utf8')) || undefined;
  });
  return [status, user, mail];
}

/** Whether the page knows a user. A client may answer a refused ticket with an endless redirect. */
async function tellsUser(visit: Promise<Visit>): Promise<boolean> {
  const headers = await visit.then((page) => page.headers).catch(() => undefined);
  return Boolean(headers?.get('user'));
}

/** Shorter than the time for a test. */
const SINGLE_LOGOUT_MS = 10_000;

const SIGNED_IN = [200, USER, RELEASED.mail[0]];

export function testWebClient(client: WebClient): void {
  const { features, programWide = [], validatesRenew = true, needsHttps = false } = client;
  const programs = new Map<Feature, WebApplication>();
  let folder: string;
  let tls: TlsFiles;
  let server: RunningService;
  let application: WebApplication;
  let other: WebApplication;
  let browser: CookieBrowser;

  const start = (feature?: Feature): Promise<WebApplication> =>
    client.start({ server: server.url, tls, feature });

  beforeAll(async () => {
    folder = await makeFolder();
    tls = await createTlsFiles(folder);
    server = await startService('apereo', needsHttps ? tls : undefined);
    [application, other] = await Promise.all([start(), start()]);
  }, 2 * START_TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all([application, other, ...programs.values()].map((each) => each?.stop()));
    await server?.stop();
    await removeFolder(folder);
  });
  beforeEach(() => {
    browser = new CookieBrowser();
  });
  afterEach(() => expect.hasAssertions());

  const testFeature = (feature: Feature): typeof test | typeof test.skip =>
    features.includes(feature) ? test : test.skip;

  /** The page with a feature, in an application where nobody has logged in. */
  const pageWith = async (feature: Feature): Promise<string> => {
    if (!programWide.includes(feature)) return `${other.url}/${feature}`;
    const program = programs.get(feature) ?? (await start(feature));
    programs.set(feature, program);
    return `${program.url}/${feature}`;
  };

  test('shows its page after a login, and knows the user with his attributes', async () => {
    expect(userOf(await browser.login(`${application.url}/app`))).toEqual(SIGNED_IN);
    expect(userOf(await browser.open(`${application.url}/app`))).toEqual(SIGNED_IN);
  });

  test('needs no form where the user has logged in to another application', async () => {
    await browser.login(`${application.url}/app`);
    expect(userOf(await browser.open(`${other.url}/app`))).toEqual(SIGNED_IN);
  });

  test('accepts no ticket that the server refuses', async () => {
    expect(await tellsUser(browser.open(`${application.url}/app?ticket=ST-garbage`))).toBe(false);
  });

  testFeature('renew')(
    'asks for credentials again where it demands them',
    async () => {
      await browser.login(`${application.url}/app`);
      const page = await pageWith('renew');
      const loginPage = await browser.open(page);
      expect(loginPage.body).toContain('name="password"');
      expect(userOf(await browser.login(page))).toEqual(SIGNED_IN);
    },
    START_TIMEOUT_MS,
  );

  testFeature('renew')(
    `${validatesRenew ? 'refuses' : 'accepts'} a ticket without new credentials where it demands them`,
    async () => {
      await browser.login(`${application.url}/app`);
      const { url } = await browser.open(await pageWith('renew'));
      // As a user could in the address bar.
      url.searchParams.delete('renew');
      expect(await tellsUser(browser.open(url))).toBe(!validatesRenew);
    },
    START_TIMEOUT_MS,
  );

  testFeature('gateway')('shows a page to everybody, and knows who has a session', async () => {
    const page = `${application.url}/gateway`;
    const anonymous = await browser.open(page);
    expect(anonymous.body).toContain('the page of the application');
    expect(userOf(anonymous)).toEqual([200, undefined, undefined]);
    const signedIn = new CookieBrowser();
    await signedIn.login(`${other.url}/app`);
    expect(userOf(await signedIn.open(page))).toEqual(SIGNED_IN);
  });

  testFeature('logout')('logs out of the application and of the server', async () => {
    await browser.login(`${application.url}/app`);
    await browser.open(`${application.url}/logout`);
    for (const { url } of [application, other]) {
      expect((await browser.open(`${url}/app`)).body).toContain('name="password"');
    }
  });

  testFeature('proxy')('opens a page of the other application by a proxy ticket', async () => {
    const target = encodeURIComponent(`${other.url}/app`);
    const visit = await browser.login(`${application.url}/proxy?target=${target}`);
    expect(userOf(visit)).toEqual(SIGNED_IN);
  });

  testFeature('proxied')(
    'accepts a proxy ticket',
    async () => {
      const page = await pageWith('proxied');
      const ticket = await proxyTicketFor(server, page);
      expect(userOf(await browser.open(`${page}?ticket=${ticket}`))).toEqual(SIGNED_IN);
    },
    START_TIMEOUT_MS,
  );

  testFeature('saml')(
    'knows the user with his attributes by SAML 1.1, and accepts no ticket that the server refuses',
    async () => {
      const page = await pageWith('saml');
      const refused = `${page}?ticket=ST-garbage&SAMLart=ST-garbage`;
      expect(await tellsUser(browser.open(refused))).toBe(false);
      expect(userOf(await browser.login(page))).toEqual(SIGNED_IN);
    },
    START_TIMEOUT_MS,
  );

  testFeature('singleLogout')(
    'loses its session when the user logs out of the server',
    async () => {
      await browser.login(`${application.url}/app`);
      expect(userOf(await browser.open(`${other.url}/app`))).toEqual(SIGNED_IN);
      await browser.open(`${server.url}logout`);
      for (const { url } of [application, other]) {
        const asksForLogin = async (): Promise<boolean> =>
          (await browser.open(`${url}/app`)).body.includes('name="password"');
        await until(`${url} asks for a login`, asksForLogin, SINGLE_LOGOUT_MS);
      }
    },
  );
}
