// The page that asks for consent, in Chromium: what a person sees, allows and takes back.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInChromium, expectAccessible, screenshot, signIn } from '../support/chromium.js';
import { FakeHttpServer, reply } from '../support/fake-http-server.js';
import { startOidc } from '../support/oidc-client.js';
import type { Sso } from '../support/sso.js';

const SCOPES = 'openid profile email address phone groups';
const TITLES = [
  ['en-GB', 'Allow access?', 'Do not allow'],
  ['de-AT', 'Zugriff erlauben?', 'Nicht erlauben'],
  ['es-MX', '¿Permitir el acceso?', 'No permitir'],
  ['fr-FR', 'Autoriser l’accès ?', 'Ne pas autoriser'],
] as const;

let sso: Sso;
let portal: FakeHttpServer;

beforeAll(async () => {
  portal = await FakeHttpServer.start();
  sso = await startOidc({
    services: [
      {
        name: 'Portal',
        serviceId: null,
        clientId: 'portal',
        client: {
          applicationType: 'native',
          redirectUris: ['http://127.0.0.1/callback'],
          tokenEndpointAuthMethod: 'none',
          scopes: SCOPES.split(' '),
          consent: 'once',
        },
      },
    ],
  });
  // The browser follows the addresses of the settings.
  await sso.reconfigure({ 'sso.base-url': sso.url });
});
beforeEach(() => {
  portal.respondWith(reply(200, '<title>app</title>', { 'content-type': 'text/html' }));
});
afterAll(async () => {
  await sso.close();
  await portal.stop();
});

function address(): string {
  const query = new URLSearchParams({
    client_id: 'portal',
    response_type: 'code',
    redirect_uri: `${portal.url}/callback`,
    scope: SCOPES,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  return `${sso.url}/oidc/authorize?${query.toString()}`;
}

async function ask(page: Page): Promise<void> {
  await page.goto(address());
  await page.locator('#username').fill('casuser');
  await page.locator('#password').fill('Mellon');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/oidc\/interaction\//);
}

const isBackWith = (page: Page, parameter: string): Promise<void> =>
  page.waitForURL(new RegExp(`^${portal.url}/callback\\?.*\\b${parameter}`));

describeInChromium('in a browser', (open) => {
  test('a user allows access, is not asked again, and takes it back', async () => {
    const page = await open({ viewport: { width: 1000, height: 920 } });
    await page.goto(address());
    await signIn(page);
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
    await screenshot(page, 'consent');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await isBackWith(page, 'code=');
    await page.goto(address());
    await isBackWith(page, 'code=');
    await page.goto(`${sso.url}/login`);
    await page.getByRole('heading', { name: 'What you have allowed' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Take back: Portal' }).click();
    await page.getByText('What you have allowed').waitFor({ state: 'detached' });
    await page.goto(address());
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
  });

  test.each(TITLES)(
    'in %s and a narrow window nothing is cut off, and the keyboard suffices',
    async (locale, title, refusal) => {
      const page = await open({ viewport: { width: 320, height: 640 }, locale });
      await ask(page);
      await page.getByRole('heading', { name: title }).waitFor();
      const widths = await page.evaluate<readonly [number, number]>(
        '[document.documentElement.scrollWidth, window.innerWidth]',
      );
      expect(widths[0]).toBeLessThanOrEqual(widths[1]);
      await expectAccessible(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe(refusal);
      await page.keyboard.press('Enter');
      await isBackWith(page, 'error=access_denied');
    },
  );

  test('in the dark, without JavaScript and in another language that the user chooses', async () => {
    const page = await open({ javaScriptEnabled: false, colorScheme: 'dark' });
    await ask(page);
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Zugriff erlauben?' }).waitFor();
    await page.getByRole('button', { name: 'Erlauben', exact: true }).click();
    await isBackWith(page, 'code=');
  });

  // Origin: OWASP "Clickjacking".
  test('no site can frame the page', async () => {
    const page = await open();
    await page.goto(portal.url);
    await page.setContent(`<iframe src="${address()}&prompt=consent"></iframe>`);
    await page.waitForLoadState('networkidle');
    expect(await page.frames().at(-1)?.locator('form').count()).toBe(0);
  });
});
