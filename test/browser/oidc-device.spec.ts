// The pages for devices in Chromium: a person enters the code, compares it and allows the sign-in.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInChromium, expectAccessible, signIn } from '../support/chromium.js';
import { DEVICE_GRANT } from '../support/device-sign-in.js';
import { http } from '../support/http.js';
import { oidcClient, startOidc } from '../support/oidc-client.js';
import type { Sso } from '../support/sso.js';

interface DeviceCodes {
  readonly device_code: string;
  readonly user_code: string;
}

let sso: Sso;

beforeAll(async () => {
  sso = await startOidc({
    settings: ['--sso.base-url=http://127.0.0.1/cas'],
    services: [
      oidcClient('tv', { redirectUris: [], grantTypes: [DEVICE_GRANT] }, { name: 'Television' }),
    ],
  });
});
afterAll(() => sso.close());

async function newCodes(): Promise<DeviceCodes> {
  const form = { client_id: 'tv', scope: 'openid' };
  const { body } = await http('POST', sso.url, '/oidc/device-authorization', { form });
  return JSON.parse(body) as DeviceCodes;
}

const poll = async ({ device_code: code }: DeviceCodes): Promise<unknown> => {
  const form = { client_id: 'tv', grant_type: DEVICE_GRANT, device_code: code };
  return JSON.parse((await http('POST', sso.url, '/oidc/token', { form })).body);
};

async function enter(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

describeInChromium('in a browser', (open) => {
  test('a device is allowed, after a code that was wrong', async () => {
    const codes = await newCodes();
    const page = await open({ viewport: { width: 360, height: 720 } });
    await page.goto(`${sso.url}/oidc/device`);
    await signIn(page);
    await page.getByRole('heading', { name: 'Connect a device' }).waitFor();
    await expectAccessible(page);
    await page.waitForFunction("document.activeElement.id === 'user_code'");
    await enter(page, 'BBBB-BBBB');
    await page.getByRole('alert').getByText('This code is not right.').waitFor();
    await expectAccessible(page);
    await enter(page, codes.user_code.toLowerCase());
    await page.getByText('The device will be signed in to Television').waitFor();
    await page.getByText(codes.user_code, { exact: true }).waitFor();
    await expectAccessible(page);
    expect(await poll(codes)).toMatchObject({ error: 'authorization_pending' });
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('heading', { name: 'The device is connected' }).waitFor();
    await expectAccessible(page);
    expect(await poll(codes)).toHaveProperty('id_token');
  });

  test('a device is not allowed, in German and in the dark', async () => {
    const codes = await newCodes();
    const page = await open({ locale: 'de-DE', colorScheme: 'dark' });
    await page.goto(`${sso.url}/oidc/device?user_code=${codes.user_code}`);
    await page.getByRole('textbox', { name: 'Benutzername' }).fill('casuser');
    await page.getByRole('textbox', { name: 'Passwort' }).fill('Mellon');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByRole('button', { name: 'Weiter' }).click();
    await page.getByText('Das Gerät wird angemeldet bei Television').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Nicht erlauben' }).click();
    await page.getByRole('heading', { name: 'Das Gerät ist nicht verbunden' }).waitFor();
    await expectAccessible(page);
    expect(await poll(codes)).toMatchObject({ error: 'access_denied' });
  });
});
