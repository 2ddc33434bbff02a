// Attacks on sign-ins of devices: the device, which may be that of an attacker, gets nothing. @see RFC 8628, section 5
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { sha256 } from '@tessera/crypto';
import { formIn } from '../support/browser.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import type { Reply } from '../support/http.js';
import { BOB, discover, oidcClient, startOidc, TWO_USERS } from '../support/oidc-client.js';
import { LOST_SESSIONS } from '../support/lost-sessions.js';
import { BASE_URL, type Sso } from '../support/sso.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const DEVICE_PAGE = `${BASE_URL}/oidc/device`;

let sso: Sso;
let config: client.Configuration;
let device: client.DeviceAuthorizationResponse;
let victim: CookieBrowser;
let attacker: CookieBrowser;

beforeAll(async () => {
  const definition = { redirectUris: [], grantTypes: [GRANT], scopes: ['openid'] } as const;
  sso = await startOidc({
    settings: [TWO_USERS],
    // So that there is an interaction in between.
    services: [oidcClient('tv', definition, { ssoEnabled: false })],
  });
  config = await discover(sso, 'tv');
});
beforeEach(async () => {
  victim = new CookieBrowser(sso.url);
  attacker = new CookieBrowser(sso.url);
  await victim.signIn();
  device = await client.initiateDeviceAuthorization(config, { scope: 'openid' });
});
afterAll(() => sso.close());

const poll = (code: string): Promise<client.TokenEndpointResponse> =>
  client.genericGrantRequest(config, GRANT, { device_code: code });

/** Allows the device, and gives credentials. @returns where the library goes on, which the browser has not called */
async function finish(): Promise<string> {
  const { body } = await victim.open(DEVICE_PAGE);
  const xsrf = /name="xsrf" value="([0-9a-f]+)"/.exec(body)?.[1] ?? '';
  const form = { xsrf, user_code: device.user_code, confirm: 'yes' };
  const { headers } = await victim.send('POST', DEVICE_PAGE, form);
  const page = await victim.open(new URL(headers.location ?? '', BASE_URL).href);
  const { action, execution } = formIn(page);
  const credentials = { execution, username: 'casuser', password: 'Mellon' };
  const proven = await victim.send('POST', `${BASE_URL}${action}`, credentials);
  const finished = await victim.send('GET', proven.headers.location ?? '');
  expect(finished.status).toBe(303);
  return new URL(finished.headers.location ?? '', BASE_URL).href;
}

const lastUid = (): string => victim.valueOf('oidc_interaction') ?? '';

// The library would log in the user of the interaction, or show a form that ends the other session.
describe('a device gets nothing where the interaction goes on', () => {
  test.each<[string, (back: string) => Promise<Reply>]>([
    ...LOST_SESSIONS.map(([title, lose]): [string, (back: string) => Promise<Reply>] => [
      title,
      async (back) => {
        await lose(victim, sso);
        return victim.open(back);
      },
    ]),
    [
      'in the browser of an attacker',
      async (back) => {
        await attacker.signIn(BOB);
        attacker.set('oidc_resume', lastUid(), '/');
        return attacker.open(back);
      },
    ],
  ])('%s', async (_, resume) => {
    const { status, headers, body } = await resume(await finish());
    expect(status).toBeGreaterThanOrEqual(400);
    expect(headers.location).toBeUndefined();
    expect(body).not.toMatch(/The device is connected|session\/end|name="xsrf" value=""/);
    await expect(poll(device.device_code)).rejects.toMatchObject({ error: 'invalid_request' });
  });

  test('a second time', async () => {
    const back = await finish();
    expect((await victim.open(back)).body).toContain('The device is connected');
    expect((await victim.open(back)).body).not.toContain('The device is connected');
    expect(await poll(device.device_code)).toHaveProperty('id_token');
    await expect(poll(device.device_code)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

test.each(['', '#', '\\x'])(
  'the hash of a device code after %j is no device code',
  async (sign) => {
    await victim.open(await finish());
    const hash = `${sign}${sha256(device.device_code)}`;
    await expect(poll(hash)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await poll(device.device_code)).toHaveProperty('id_token');
  },
);
