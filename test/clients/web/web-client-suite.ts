// The tests that every client of a web application runs: login, single sign-on, renew, gateway, logout.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { RELEASED, type RunningService, startService, USER } from '../running-service.js';
import { CookieBrowser, type Visit } from './cookie-browser.js';
import { START_TIMEOUT_MS, type WebApplication } from './web-program.js';

/** What a client can do beyond logins, at the path of that name. */
type Feature = 'gateway' | 'logout' | 'proxy' | 'renew' | 'singleLogout';

export interface WebClient {
  readonly features: readonly Feature[];
  /** @param server base URL of the SSO, ending in a slash */
  start(server: string): Promise<WebApplication>;
}

/** What the page of an application tells about its user: in headers, as UTF-8 or percent-encoded. */
function userOf({ status, headers }: Visit): readonly unknown[] {
  const [user, mail] = ['user', 'mail'].map((name) => {
    const bytes = Buffer.from(headers.get(name) ?? '', 'latin1');
    return decodeURIComponent(bytes.toString('utf8')) || undefined;
  });
  return [status, user, mail];
}

/** Shorter than the time for a test. */
const SINGLE_LOGOUT_MS = 10_000;

const SIGNED_IN = [200, USER, RELEASED.mail[0]];

export function testWebClient({ features, start }: WebClient): void {
  let server: RunningService;
  let application: WebApplication;
  let other: WebApplication;
  let browser: CookieBrowser;

  beforeAll(async () => {
    server = await startService('apereo');
    [application, other] = await Promise.all([start(server.url), start(server.url)]);
  }, 2 * START_TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all([application?.stop(), other?.stop()]);
    await server?.stop();
  });
  beforeEach(() => {
    browser = new CookieBrowser();
  });
  afterEach(() => expect.hasAssertions());

  const testFeature = (feature: Feature): typeof test | typeof test.skip =>
    features.includes(feature) ? test : test.skip;

  test('shows its page after a login, and knows the user with his attributes', async () => {
    expect(userOf(await browser.login(`${application.url}/app`))).toEqual(SIGNED_IN);
    expect(userOf(await browser.open(`${application.url}/app`))).toEqual(SIGNED_IN);
  });

  test('needs no form where the user has logged in to another application', async () => {
    await browser.login(`${application.url}/app`);
    expect(userOf(await browser.open(`${other.url}/app`))).toEqual(SIGNED_IN);
  });

  test('accepts no ticket that the server refuses', async () => {
    const visit = await browser
      .open(`${application.url}/app?ticket=ST-garbage`)
      .catch(() => undefined);
    expect(visit?.headers.get('user') || undefined).toBeUndefined();
  });

  testFeature('renew')('asks for credentials again where it demands them', async () => {
    await browser.login(`${application.url}/app`);
    expect((await browser.open(`${other.url}/renew`)).body).toContain('name="password"');
    expect(userOf(await browser.login(`${other.url}/renew`))).toEqual(SIGNED_IN);
  });

  testFeature('gateway')('shows a page to everybody, and knows who has a session', async () => {
    expect(userOf(await browser.open(`${application.url}/gateway`))).toEqual([
      200,
      undefined,
      undefined,
    ]);
    const signedIn = new CookieBrowser();
    await signedIn.login(`${other.url}/app`);
    expect(userOf(await signedIn.open(`${application.url}/gateway`))).toEqual(SIGNED_IN);
  });

  testFeature('logout')('logs out of the application and of the server', async () => {
    await browser.login(`${application.url}/app`);
    await browser.open(`${application.url}/logout`);
    for (const { url } of [application, other]) {
      expect((await browser.open(`${url}/app`)).body).toContain('name="password"');
    }
  });

  testFeature('proxy')('opens a page of the other application as the user', async () => {
    const target = encodeURIComponent(`${other.url}/app`);
    const visit = await browser.login(`${application.url}/proxy?target=${target}`);
    expect(userOf(visit)).toEqual(SIGNED_IN);
  });

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
