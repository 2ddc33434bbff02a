// Clients whose users are asked although the rule of the installation is `never`.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import {
  askedIn,
  clearConsents,
  ConsentBrowser,
  rowsOf,
  startConsents,
} from '../support/consent-browser.js';
import { allowCode, poll } from '../support/device-sign-in.js';
import { discover, oidcClient, requestOf } from '../support/oidc-client.js';
import { BASE_URL, type Sso } from '../support/sso.js';

const LOOPBACK = 'http://127.0.0.1:31337/callback';
const PRIVATE_USE = 'com.example.app:/callback';
/** The host is not asked: the application of the scheme gets the code. */
const BORROWED = 'com.example.app://bank.example.org/callback';
const NATIVE = {
  applicationType: 'native',
  redirectUris: ['http://127.0.0.1/callback', PRIVATE_USE, BORROWED],
  postLogoutRedirectUris: [BORROWED],
} as const;

let sso: Sso;
let browser: ConsentBrowser;

beforeAll(async () => {
  sso = await startConsents([
    oidcClient('native', NATIVE),
    oidcClient('trusted', { ...NATIVE, consent: 'never' }),
  ]);
});
beforeEach(async () => {
  browser = new ConsentBrowser(sso);
  await browser.signIn();
});
afterEach(() => clearConsents(sso));
afterAll(() => sso.close());

describe('a device that asks for offline_access', () => {
  const SCOPE = 'openid email offline_access';

  test('gets it when the user has allowed it, who then sees it in the list', async () => {
    const config = await discover(sso, 'never');
    const device = await client.initiateDeviceAuthorization(config, { scope: SCOPE });
    const page = await allowCode(browser, device.user_code);
    expect(askedIn(page)).toContain('Access also while you are signed out');
    await expect(poll(config, device)).rejects.toMatchObject({ error: 'authorization_pending' });
    expect(await rowsOf(sso, 'select from oidc_consent')).toEqual([]);
    expect((await browser.allow(page)).body).toContain('The device is connected');
    const { scope } = await poll(config, device);
    expect(scope?.split(' ').toSorted()).toEqual(['email', 'offline_access', 'openid']);
    expect(await rowsOf(sso, 'select principal, scopes from oidc_consent')).toEqual([
      { principal: 'casuser', scopes: expect.arrayContaining(SCOPE.split(' ')) },
    ]);
    const { body } = await browser.open(`${BASE_URL}/login`);
    expect(body).toContain('<bdi>Client never</bdi>');
    expect(body).toContain('Access also while you are signed out');
  });

  test('gets nothing when the user refuses', async () => {
    const config = await discover(sso, 'never');
    const device = await client.initiateDeviceAuthorization(config, { scope: SCOPE });
    await browser.deny(await allowCode(browser, device.user_code));
    await expect(poll(config, device)).rejects.toMatchObject({ error: 'access_denied' });
  });

  test('is connected without a question if it asks for other scopes alone', async () => {
    const config = await discover(sso, 'never');
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid email' });
    const { body } = await allowCode(browser, device.user_code);
    expect(body).toContain('The device is connected');
  });
});

// Origin: RFC 8252, section 8.6.
describe('a native client', () => {
  const requested = async (clientId: string, parameters: Readonly<Record<string, string>>) => {
    const { address } = await requestOf(await discover(sso, clientId), parameters);
    return browser.open(address);
  };

  test.each([LOOPBACK, PRIVATE_USE])(
    'gets no code at %s before the user allows it',
    async (uri) => {
      for (const _ of ['first', 'second']) {
        const page = await requested('native', { redirect_uri: uri });
        expect(askedIn(page)).toHaveLength(3);
        const { headers } = await browser.allow(page);
        expect(headers.location).toContain(`${uri}?code=`);
      }
    },
  );

  test.each([
    ['its own loopback host', LOOPBACK, '<bdi>127.0.0.1:31337</bdi>'],
    ['no host of its own scheme', PRIVATE_USE, undefined],
    ['no host that its own scheme names', BORROWED, undefined],
  ])('is shown with %s', async (_, uri, host) => {
    const { body } = await requested('native', { redirect_uri: uri });
    expect(/<bdi>.*<\/bdi>/.exec(body)?.[0]).toBe(host);
  });

  test('names no host at its logout', async () => {
    const asked = { client_id: 'native', post_logout_redirect_uri: BORROWED };
    const query = new URLSearchParams(asked).toString();
    const { status, body } = await browser.open(`${BASE_URL}/oidc/session/end?${query}`);
    expect([status, body]).toEqual([200, expect.stringContaining('at the request of native')]);
    expect(body).not.toContain('<bdi>');
  });

  test('is told that the user must be asked', async () => {
    const { headers } = await requested('native', { redirect_uri: LOOPBACK, prompt: 'none' });
    expect(headers.location).toContain('error=consent_required');
  });

  test('gets a code without a question where its own rule is never', async () => {
    const { headers } = await requested('trusted', { redirect_uri: LOOPBACK });
    expect(headers.location).toContain(`${LOOPBACK}?code=`);
  });
});
