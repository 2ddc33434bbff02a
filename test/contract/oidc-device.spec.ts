// Sign-ins of devices without a browser. @see RFC 8628
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as client from 'openid-client';
import { OidcStore } from '../../apps/sso/src/oidc/storage/oidc-store.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import type { Reply } from '../support/http.js';
import {
  allowCode,
  DEVICE_CLIENT,
  DEVICE_PAGE,
  poll as pollFor,
  secretIn,
  submitCode,
} from '../support/device-sign-in.js';
import { BOB, discover, oidcClient, startOidc, TWO_USERS } from '../support/oidc-client.js';
import { query } from '../support/query.js';
import { BASE_URL, type Sso } from '../support/sso.js';

const MARKUP = '"><script>alert(1)</script>';

let sso: Sso;
let browser: CookieBrowser;
let config: client.Configuration;
let device: client.DeviceAuthorizationResponse;

beforeAll(async () => {
  sso = await startOidc({
    settings: [TWO_USERS],
    services: [
      oidcClient('tv', DEVICE_CLIENT, { name: `TV ${MARKUP}`, attributeRelease: { kind: 'all' } }),
      oidcClient('other', DEVICE_CLIENT),
    ],
  });
  config = await discover(sso, 'tv');
});
beforeEach(async () => {
  await query(sso.database.url, 'delete from request_rate');
  browser = new CookieBrowser(sso.url);
  device = await client.initiateDeviceAuthorization(config, { scope: 'openid profile' });
});
afterAll(() => sso.close());

/** What the device gets now. */
const poll = (): ReturnType<typeof pollFor> => pollFor(config, device);

const submit = (fields: Readonly<Record<string, string>>): Promise<Reply> =>
  submitCode(browser, fields);

const allow = (): Promise<Reply> => allowCode(browser, device.user_code);

const PENDING = { error: 'authorization_pending' };

test('a device gets the lifetime of its codes, and how often to ask', () => {
  expect(device).toMatchObject({ expires_in: 600, interval: 5 });
});

describe('the page', () => {
  test('leads over the login page, and back with the code', async () => {
    const page = await browser.open(device.verification_uri_complete ?? '');
    expect(page.body).toContain('name="password"');
    const { status, body } = await browser.logIn(page);
    expect(status).toBe(200);
    expect(body).toContain(`name="user_code" value="${device.user_code}"`);
    await expect(poll()).rejects.toMatchObject(PENDING);
  });

  test('escapes a code that is none, and leads nowhere else', async () => {
    const address = `${DEVICE_PAGE}?user_code=${encodeURIComponent('//e"><script>alert(1)</script>')}`;
    const page = await browser.open(address);
    expect(page.body).not.toContain('<script>alert');
    const { body } = await browser.logIn(page);
    expect(body).toContain('name="user_code" value="escriptalert1script"');
    expect((await browser.open(address)).body).not.toContain('<script>alert');
    expect(browser.visited.every((each) => each.startsWith(BASE_URL))).toBe(true);
  });

  test('cannot be framed', async () => {
    await browser.signIn();
    const { headers } = await browser.open(DEVICE_PAGE);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  test.each<[string, string, string]>([
    ['de', 'Ein Gerät verbinden', 'Das Gerät ist verbunden'],
    ['es', 'Conectar un dispositivo', 'El dispositivo está conectado'],
    ['fr', 'Connecter un appareil', 'L’appareil est connecté'],
  ])('is shown in %s, until the end', async (locale, title, end) => {
    await browser.signIn();
    expect((await browser.open(`${DEVICE_PAGE}?locale=${locale}`)).body).toContain(title);
    expect((await allow()).body).toContain(end);
  });
});

describe('a code', () => {
  beforeEach(() => browser.signIn());

  test.each<[string, string, string]>([
    ['that is wrong', 'BBBB-BBBB', 'This code is not right.'],
    ['that is empty', '', 'Enter the code.'],
    ['with markup', MARKUP, 'This code is not right.'],
    ['in place of the device code', '{device}', 'This code is not right.'],
  ])('%s is asked for again', async (_, userCode, message) => {
    const given = userCode.replace('{device}', device.device_code);
    const { status, body } = await submit({ user_code: given, confirm: 'yes' });
    expect(status).toBe(400);
    expect(body).toContain(message);
    expect(body).not.toContain('<script>alert');
    await expect(poll()).rejects.toMatchObject(PENDING);
  });

  test('that has ended is asked for again', async () => {
    await query(sso.database.url, "update oidc_request set expires_at = now() - interval '1 s'");
    expect((await allow()).body).toContain('This code is not right.');
  });

  test('is compared by the user, before anything is allowed', async () => {
    const typed = device.user_code.toLowerCase().replace('-', ' ');
    const { status, body } = await submit({ user_code: typed });
    expect(status).toBe(200);
    expect(body).toContain(`<code dir="ltr">${device.user_code}</code>`);
    expect(body).toContain('TV &#34;&gt;&lt;script&gt;');
    await expect(poll()).rejects.toMatchObject(PENDING);
  });

  test('that is allowed gives the device tokens, once', async () => {
    expect((await allow()).body).toContain('The device is connected');
    const tokens = await poll();
    expect(tokens.claims()?.sub).toBe('casuser');
    const info = await client.fetchUserInfo(config, tokens.access_token, 'casuser');
    expect(info.sub).toBe('casuser');
    await expect(poll()).rejects.toMatchObject({ error: 'invalid_grant' });
    const answer = client.fetchUserInfo(config, tokens.access_token, 'casuser');
    await expect(answer).rejects.toMatchObject({ status: 401 });
  });

  test('of two polls at once, the first gets tokens, though the second ends them', async () => {
    await allow();
    const store = sso.application.get(OidcStore, { strict: false });
    const consume = store.consume.bind(store);
    jest.spyOn(store, 'consume').mockImplementationOnce(async (model, key) => {
      const isFirst = await consume(model, key);
      await expect(poll()).rejects.toMatchObject({ error: 'invalid_grant' });
      return isFirst;
    });
    const tokens = await poll();
    const { sub = '' } = tokens.claims() ?? {};
    const userInfo = client.fetchUserInfo(config, tokens.access_token, sub);
    await expect(userInfo).rejects.toMatchObject({ status: 401 });
  });

  test('that was allowed is not allowed again, by nobody', async () => {
    await allow();
    expect((await allow()).body).toContain('This code has ended or was used already.');
    browser = new CookieBrowser(sso.url);
    await browser.signIn(BOB);
    expect((await allow()).status).toBe(400);
    expect((await poll()).claims()?.sub).toBe('casuser');
  });

  test('that is denied is access_denied for the device', async () => {
    const { status, body } = await submit({ user_code: device.user_code, abort: 'yes' });
    expect(status).toBe(200);
    expect(body).toContain('The device is not connected');
    await expect(poll()).rejects.toMatchObject({ error: 'access_denied' });
  });

  test('tokens end with the session', async () => {
    await allow();
    const { access_token: token } = await poll();
    await browser.send('GET', `${BASE_URL}/logout`);
    await expect(client.fetchUserInfo(config, token, 'casuser')).rejects.toMatchObject({
      status: 401,
    });
  });

  test('with offline_access the tokens outlive it', async () => {
    device = await client.initiateDeviceAuthorization(config, { scope: 'openid offline_access' });
    await browser.logIn(await allow(), { _eventId: 'allow' });
    const { refresh_token: refresh = '' } = await poll();
    await browser.send('GET', `${BASE_URL}/logout`);
    const { access_token: token } = await client.refreshTokenGrant(config, refresh);
    const info = await client.fetchUserInfo(config, token, 'casuser');
    expect(info.sub).toBe('casuser');
  });

  test('of another client gives that one nothing', async () => {
    await allow();
    const other = await discover(sso, 'other');
    await expect(pollFor(other, device)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

describe('a form', () => {
  test('without a session leads to the login page', async () => {
    const form = { user_code: device.user_code, confirm: 'yes', xsrf: 'x' };
    const { status, headers } = await browser.send('POST', DEVICE_PAGE, form);
    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: '/cas/login?interaction=device.',
    });
  });

  test.each<[string, (own: string, other: string) => string]>([
    ['no secret', () => ''],
    ['a wrong secret', (own) => own.replace(/./, (first) => (first === 'a' ? 'b' : 'a'))],
    ['the secret of another session', (_, other) => other],
  ])('with %s allows nothing', async (_, secretFor) => {
    const bob = new CookieBrowser(sso.url);
    await bob.signIn(BOB);
    const other = secretIn(await bob.open(DEVICE_PAGE));
    await browser.signIn();
    const xsrf = secretFor(secretIn(await browser.open(DEVICE_PAGE)), other);
    const form = { user_code: device.user_code, confirm: 'yes', xsrf };
    const { status, body } = await browser.send('POST', DEVICE_PAGE, form);
    expect(status).toBe(400);
    expect(body).toContain('This page was open for too long.');
    await expect(poll()).rejects.toMatchObject(PENDING);
  });

  test('with a field twice allows nothing', async () => {
    await browser.signIn();
    const xsrf = secretIn(await browser.open(DEVICE_PAGE));
    const form = `xsrf=${xsrf}&user_code=BBBB-BBBB&user_code=${device.user_code}&confirm=yes`;
    expect((await browser.send('POST', DEVICE_PAGE, form)).status).toBe(400);
    await expect(poll()).rejects.toMatchObject(PENDING);
  });

  test('of one user is answered thirty times in ten minutes, in all sessions', async () => {
    const sent: number[] = [];
    for (let session = 0; session < 2; session += 1) {
      browser = new CookieBrowser(sso.url);
      await browser.signIn();
      const xsrf = secretIn(await browser.open(DEVICE_PAGE));
      for (let count = 0; count < 16; count += 1) {
        const form = { xsrf, user_code: 'BBBB-BBBB' };
        sent.push((await browser.send('POST', DEVICE_PAGE, form)).status);
      }
    }
    expect(sent).toEqual([...Array<number>(30).fill(400), 429, 429]);
    const { status, headers, body } = await allow();
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body).toContain('Too many requests');
    browser = new CookieBrowser(sso.url);
    await browser.signIn(BOB);
    expect((await allow()).status).toBe(200);
  });
});

test('no code is stored as it is', async () => {
  await browser.signIn();
  await submit({ user_code: device.user_code });
  const rows = JSON.stringify(await query(sso.database.url, 'select r::text from oidc_request r'));
  const codes = [device.device_code, device.user_code, device.user_code.replace('-', '')];
  for (const code of codes) expect(rows).not.toContain(code);
});
