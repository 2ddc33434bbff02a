// Sign-ins of devices for clients with requirements.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { CookieBrowser } from '../support/cookie-browser.js';
import { allowCode, DEVICE_CLIENT, poll } from '../support/device-sign-in.js';
import { discover, oidcClient, startOidc } from '../support/oidc-client.js';
import type { Sso } from '../support/sso.js';

const PENDING = { error: 'authorization_pending' };

let sso: Sso;
let browser: CookieBrowser;

beforeAll(async () => {
  sso = await startOidc({
    services: [
      oidcClient('web'),
      oidcClient('asking', DEVICE_CLIENT, { ssoEnabled: false }),
      oidcClient('staff', DEVICE_CLIENT, { requiredAttributes: { memberOf: ['nobody'] } }),
      oidcClient('consenting', { ...DEVICE_CLIENT, consent: 'always' }),
    ],
  });
});
beforeEach(() => {
  browser = new CookieBrowser(sso.url);
});
afterAll(() => sso.close());

async function signIn(): Promise<void> {
  await browser.signIn();
}

test('a client with ssoEnabled false asks for credentials, before the device gets anything', async () => {
  const asking = await discover(sso, 'asking');
  const device = await client.initiateDeviceAuthorization(asking, { scope: 'openid' });
  await signIn();
  const page = await allowCode(browser, device.user_code);
  expect(page.body).toContain('name="password"');
  await expect(poll(asking, device)).rejects.toMatchObject(PENDING);
  expect((await browser.logIn(page)).body).toContain('The device is connected');
  expect((await poll(asking, device)).claims()?.sub).toBe('casuser');
});

test('a client that the user may not use: the user and the device are told', async () => {
  const staff = await discover(sso, 'staff');
  const device = await client.initiateDeviceAuthorization(staff, { scope: 'openid' });
  await signIn();
  const { status, body } = await allowCode(browser, device.user_code);
  expect(status).toBe(403);
  expect(body).toContain('You have no access');
  await expect(poll(staff, device)).rejects.toMatchObject({ error: 'access_denied' });
});

test.each([
  ['allows it: the device is connected', 'allow', 'The device is connected', 'invalid_grant'],
  ['refuses: the device is told', 'deny', 'The device is not connected', 'access_denied'],
])('a client that needs consent, and the user %s', async (_, answer, title, later) => {
  const consenting = await discover(sso, 'consenting');
  const device = await client.initiateDeviceAuthorization(consenting, { scope: 'openid profile' });
  await signIn();
  const page = await allowCode(browser, device.user_code);
  expect(page.body).not.toContain('The device is');
  await expect(poll(consenting, device)).rejects.toMatchObject(PENDING);
  const { status, body } = await browser.logIn(page, { _eventId: answer });
  expect(status).toBe(200);
  expect(body).toContain(title);
  if (answer === 'allow') await poll(consenting, device);
  await expect(poll(consenting, device)).rejects.toMatchObject({ error: later });
});

test('a request without a scope gets no codes (RFC 6749, section 3.3)', async () => {
  const staff = await discover(sso, 'staff');
  await expect(client.initiateDeviceAuthorization(staff, {})).rejects.toMatchObject({
    cause: { error: 'invalid_scope', error_description: 'scope has no scope of this server' },
  });
});

test('a client without the grant type gets no codes', async () => {
  const web = await discover(sso, 'web');
  await expect(client.initiateDeviceAuthorization(web, { scope: 'openid' })).rejects.toMatchObject({
    error: 'invalid_request',
  });
});
