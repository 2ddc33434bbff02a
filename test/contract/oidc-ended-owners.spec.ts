// What OpenID Connect clients have got ends with the client, and with the user: who gets the client id or the user name later
// inherits nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { AccountStore } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { type NewService, ServiceRegistry, ServiceStore } from '@tessera/services';
import { askedIn, clearConsents, ConsentBrowser, rowsOf } from '../support/consent-browser.js';
import { freePort } from '../support/free-port.js';
import { http } from '../support/http.js';
import { LogoutReceiver } from '../support/logout-receiver.js';
import { discover, oidcClient, startOidc } from '../support/oidc-client.js';
import { TOKEN } from '../support/operator-api.js';
import { BASE_URL, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';

const JANE = { username: 'jane', password: 'Mellon' };
const OFFLINE = { scope: 'openid email offline_access', prompt: 'consent' };
const HASHING = new PasswordHashing({ memory: 8, iterations: 1, parallelism: 1 });

let receiver: LogoutReceiver;
let sso: Sso;
let management: string;
let accounts: AccountStore;
let hash: string;
let browser: ConsentBrowser;

const appOf = (clientId: string, service: Partial<NewService> = {}): NewService =>
  oidcClient(
    clientId,
    {
      grantTypes: ['authorization_code', 'refresh_token'],
      scopes: ['openid', 'email', 'offline_access'],
      consent: 'once',
    },
    {
      attributeRelease: { kind: 'all' },
      logoutType: 'back',
      logoutUrl: `${receiver.url}/${clientId}`,
      ...service,
    },
  );

beforeAll(async () => {
  receiver = await LogoutReceiver.start();
  hash = await HASHING.hash(JANE.password);
  const port = await freePort();
  management = `http://127.0.0.1:${port}`;
  sso = await startOidc({
    settings: [
      '--sso.authentication.handlers=accounts',
      '--sso.outgoing.allowed-addresses=127.0.0.1',
      `--management.port=${port}`,
      `--management.base-url=http://localhost:${port}`,
      `--sso.management.token=${TOKEN}`,
    ],
  });
  accounts = AccountStore.of(sso.database.dataSource);
});
beforeEach(async () => {
  await rowsOf(sso, 'delete from registered_service');
  await rowsOf(sso, 'delete from user_account');
  await clearConsents(sso);
  await services().add(appOf('app'));
  await services().add(appOf('other'));
  await sso.refreshServices();
  await addJane();
  browser = new ConsentBrowser(sso);
});
afterAll(async () => {
  await sso.close();
  await receiver.stop();
});

const services = (): ServiceStore => ServiceStore.of(sso.database.dataSource);
const idOf = (clientId: string): string =>
  sso.application.get(ServiceRegistry, { strict: false }).findByClientId(clientId)?.id ?? '';
const isTold = (at: string): boolean => receiver.received.some(({ path }) => path === at);
const addJane = (): Promise<unknown> =>
  accounts.add({ name: 'jane', passwordHash: hash, attributes: { mail: ['j@example.org'] } });

async function offlineTokens(clientId: string): Promise<client.TokenEndpointResponse> {
  const { reply, request } = await browser.request(clientId, OFFLINE, JANE);
  return browser.redeem(clientId, await browser.allow(reply), request);
}

/** What tokens are good for: the user's claims, and new tokens. */
async function useOf(
  clientId: string,
  { access_token: access, refresh_token: refresh = '' }: client.TokenEndpointResponse,
): Promise<readonly unknown[]> {
  const config = await discover(sso, clientId);
  const claims = await http('GET', sso.url, '/oidc/userinfo', {
    headers: { authorization: `Bearer ${access}` },
  });
  const refreshed = await client.refreshTokenGrant(config, refresh).then(
    () => 'refreshed',
    (error: unknown) => (error as { readonly error?: string }).error,
  );
  return [claims.status, refreshed];
}

const GOOD = [200, 'refreshed'];
const ENDED = [401, 'invalid_grant'];

type Row = readonly [string, () => Promise<unknown>];

describe('tokens that outlive the session are worth nothing to another client of the id, where the first', () => {
  const changed = async (service: Partial<NewService>): Promise<void> => {
    await services().update(idOf('app'), service);
    await sso.refreshServices();
  };

  test.each<Row>([
    ['was removed', () => services().remove(idOf('app'))],
    ['has another id', () => changed({ clientId: 'new' })],
    [
      'is only of CAS now',
      () => changed({ serviceId: '^https://a/', clientId: null, client: null }),
    ],
  ])('%s', async (_, change) => {
    const tokens = await offlineTokens('app');
    const others = await offlineTokens('other');
    expect(await useOf('app', tokens)).toEqual(GOOD);
    await change();
    await services().add(appOf('app', { name: 'Another owner' }));
    await sso.refreshServices();
    expect(await useOf('app', tokens)).toEqual(ENDED);
    expect(await useOf('other', others)).toEqual(GOOD);
  });
});

test('a new owner of a client id is not told of sessions of the old one', async () => {
  await services().add(appOf('told'));
  await sso.refreshServices();
  await offlineTokens('app');
  await offlineTokens('told');
  await services().remove(idOf('app'));
  await services().add(appOf('app', { logoutUrl: `${receiver.url}/new` }));
  await sso.refreshServices();
  await browser.open(`${BASE_URL}/logout`);
  await until('all messages are sent', async () => {
    const waiting = await rowsOf(sso, 'select from logout_message');
    return isTold('/told') && waiting.length === 0;
  });
  expect(isTold('/new')).toBe(false);
});

describe('tokens that outlive the session end for good', () => {
  test.each<Row>([
    ['with a removed account', () => accounts.remove('jane').then(addJane)],
    [
      'with a renamed account',
      () => rowsOf(sso, `update user_account set name = 'ann'`).then(addJane),
    ],
    ['with another password', () => accounts.setPassword('jane', `${hash} `)],
    ['with a disabled account', () => accounts.disable('jane').then(() => accounts.enable('jane'))],
    ['with all sessions that an operator ends', endSessionsOfJane],
    [
      'by an operator after the last session, too',
      () => browser.open(`${BASE_URL}/logout`).then(endSessionsOfJane),
    ],
  ])('%s', async (_, change) => {
    const tokens = await offlineTokens('app');
    expect(await useOf('app', tokens)).toEqual(GOOD);
    await change();
    expect(await useOf('app', tokens)).toEqual(ENDED);
  });

  async function endSessionsOfJane(): Promise<void> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const { status } = await http('DELETE', management, '/api/v1/sessions?user=jane', { headers });
    expect(status).toBe(200);
  }

  test.each<Row>([
    ['the logout', () => browser.open(`${BASE_URL}/logout`)],
    [
      'other attributes',
      () => accounts.change('jane', { attributes: { mail: ['k@example.org'] } }),
    ],
  ])('but not by %s', async (_, change) => {
    const tokens = await offlineTokens('app');
    await change();
    expect(await useOf('app', tokens)).toEqual(GOOD);
  });
});

test.each<Row>([
  ['a removed account', () => accounts.remove('jane').then(addJane)],
  ['a renamed account', () => rowsOf(sso, `update user_account set name = 'ann'`).then(addJane)],
])('who gets the name of %s is asked for consent', async (_, change) => {
  await offlineTokens('app');
  await change();
  browser = new ConsentBrowser(sso);
  const { reply } = await browser.request('app', { scope: 'openid email' }, JANE);
  expect(askedIn(reply)).toHaveLength(2);
});

test('consent outlives another password', async () => {
  await offlineTokens('app');
  await accounts.setPassword('jane', await HASHING.hash(JANE.password));
  browser = new ConsentBrowser(sso);
  const { reply } = await browser.request('app', { scope: 'openid email' }, JANE);
  expect(askedIn(reply)).toBeUndefined();
});
