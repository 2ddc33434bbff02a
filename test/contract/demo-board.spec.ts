// Board of `npm run demo`: an application with an OpenID Connect client, in one session with those that speak CAS.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import { PASSWORD, USER } from '../clients/running-service.js';
import { CookieBrowser, type Visit } from '../clients/web/cookie-browser.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type Demo, startDemo } from '../support/demo.js';
import { freePort } from '../support/free-port.js';
import { OIDC_SETTINGS } from '../support/oidc-client.js';
import { endPrograms } from '../support/process.js';
import { startNode } from '../support/sso-node.js';
import { until } from '../support/until.js';

const POST: RequestInit = { method: 'POST' };
const SIGNED_IN = '<h1>Signed in as o&#39;hara &#60;&#38;&#34;&#62; Zoë 😀</h1>';
const SIGNED_OUT = '<h1>You are not signed in</h1>';
const ENDED = 'Single logout: ';
const ANY_PORT = '^http://localhost:\\d+/.*';

let database: TestDatabase;
let demo: Demo;
let browser: CookieBrowser;

const headingOf = ({ body }: Visit): string => /<h1>.*<\/h1>/.exec(body)?.[0] ?? body;

beforeAll(async () => {
  database = await createTestDatabase({ entities: [RegisteredServiceEntity] });
  const port = await freePort();
  const casUrl = `http://localhost:${port}/cas`;
  demo = await startDemo(casUrl);
  const services = ServiceStore.of(database.dataSource);
  await services.add({
    serviceId: ANY_PORT,
    name: 'Others',
    logoutType: 'back',
    proxyPolicy: { kind: 'pattern', pattern: ANY_PORT },
  });
  await services.add({
    name: 'Board',
    serviceId: null,
    clientId: 'board',
    attributeRelease: { kind: 'all' },
    logoutType: 'back',
    logoutUrl: `${demo.board}/backchannel-logout`,
    client: {
      redirectUris: [`${demo.board}/callback`],
      postLogoutRedirectUris: [`${demo.board}/signed-out`],
      tokenEndpointAuthMethod: 'none',
      scopes: ['openid', 'profile', 'email', 'groups'],
    },
  });
  await startNode(database.url, [
    ...OIDC_SETTINGS,
    `--sso.port=${port}`,
    `--sso.base-url=${casUrl}`,
    `--sso.authentication.static.users=${USER}::${PASSWORD}`,
  ]);
});
afterAll(async () => {
  await endPrograms();
  await database.drop();
});
beforeEach(() => {
  browser = new CookieBrowser();
});

async function untilSignedOut(application: string): Promise<string> {
  const page = await until('the session has ended', async () => {
    const visit = await browser.open(application);
    return headingOf(visit) === SIGNED_OUT && visit;
  });
  return page.body;
}

test('one form signs in to Board and Wiki, and each is told when the other signs out', async () => {
  const { board, wiki } = demo;
  for (const [first, other] of [
    [board, wiki],
    [wiki, board],
  ] as const) {
    expect(headingOf(await browser.login(`${first}/sign-in`))).toBe(SIGNED_IN);
    expect(headingOf(await browser.open(`${other}/sign-in`))).toBe(SIGNED_IN);
    const { url, body } = await browser.open(`${first}/sign-out-everywhere`, POST);
    expect([url.pathname, url.search]).toEqual(['/', '?signed-out']);
    expect(body).toContain('You are signed out of all applications.');
    expect(await untilSignedOut(other)).toContain(ENDED);
    expect((await browser.open(`${other}/sign-in`)).body).toContain('name="execution"');
  }
  expect(demo.program.stderr).not.toContain('Error');
});

test('signing out here ends one session, and the next sign-in needs no form', async () => {
  const { board } = demo;
  await browser.login(`${board}/sign-in`);
  expect(headingOf(await browser.open(`${board}/sign-out`, POST))).toBe(SIGNED_OUT);
  expect(headingOf(await browser.open(`${board}/sign-in`))).toBe(SIGNED_IN);
});

test.each([
  ['that was not started here', '/callback?code=x&state=y', 403, 'was not started here'],
  ['that the server refused', '', 403, 'The server refused the sign-in'],
])('a sign-in %s is refused', async (_what, path, status, text) => {
  if (path === '') await browser.open(`${demo.board}/sign-in`);
  const reply = await browser.open(`${demo.board}${path || '/callback?code=x&state=y'}`);
  expect([reply.status, headingOf(reply)]).toEqual([status, SIGNED_OUT]);
  expect(reply.body).toContain(text);
});

test.each(['', 'logout_token=x', 'logout_token=e30.e30.', 'logout_token=a&logout_token=b'])(
  'a logout message that is none is refused: %j',
  async (body) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status } = await fetch(`${demo.board}/backchannel-logout`, { ...POST, body, headers });
    expect(status).toBe(400);
  },
);
