// A password that ends soon, and its change, in Chromium: what a person does and sees.
import { afterAll, beforeAll, test } from '@jest/globals';
import { describeInChromium, expectAccessible } from '../support/chromium.js';
import { FakeHttpServer, reply } from '../support/fake-http-server.js';
import { PASSWORD, PASSWORD_POLICY } from '../support/ldap-people.js';
import { BASE, describeWithSlapd, SERVICE_ACCOUNT, Slapd } from '../support/slapd.js';
import { startSso, type Sso } from '../support/sso.js';

const NEW = 'a new and longer one';
const SMALL = { viewport: { width: 360, height: 640 } };

let slapd: Slapd;
let sso: Sso;
let portal: FakeHttpServer;

describeWithSlapd('a password', () => {
  beforeAll(async () => {
    slapd = await Slapd.start({ ...PASSWORD_POLICY, passwords: 'by self write' });
    portal = await FakeHttpServer.start();
    portal.respondWith(reply(200, '<title>app</title>', { 'content-type': 'text/html' }));
    sso = await startSso({
      settings: [
        '--sso.base-url=http://127.0.0.1/cas',
        '--sso.authentication.handlers=ldap',
        `--sso.authentication.ldap.urls=${slapd.url}`,
        `--sso.authentication.ldap.base-dn=${BASE}`,
        `--sso.authentication.ldap.bind-dn=${SERVICE_ACCOUNT.dn}`,
        `--sso.authentication.ldap.bind-password=${SERVICE_ACCOUNT.password}`,
        '--sso.authentication.ldap.password-change=rfc3062',
      ],
      services: [{ serviceId: `^${portal.url.replaceAll('.', '\\.')}/.*`, name: 'Portal' }],
    });
  });
  afterAll(async () => {
    await sso.close();
    await Promise.all([portal.stop(), slapd.remove()]);
  });

  describeInChromium('in a browser', (open) => {
    test.each([
      ['that ends soon', 'ending', 'light'],
      ['that must be changed', 'reset', 'dark'],
    ] as const)('%s is changed: %s, in the %s look', async (_what, username, colorScheme) => {
      const page = await open({ ...SMALL, colorScheme });
      await page.goto(`${sso.url}/login?service=${encodeURIComponent(`${portal.url}/`)}`);
      await page.getByRole('textbox', { name: 'User name' }).fill(username);
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      if (username === 'ending') {
        await page.getByRole('heading', { name: 'Your password expires soon' }).waitFor();
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Change your password' }).click();
      }
      await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
      await expectAccessible(page);
      const current = page.getByRole('textbox', { name: 'Current password' });
      await page.waitForFunction(`document.activeElement.id === 'currentPassword'`);
      await current.fill('wrong');
      await page.getByRole('textbox', { name: 'New password', exact: true }).fill(NEW);
      await page.getByRole('textbox', { name: 'New password, again' }).fill(NEW);
      await page.getByRole('button', { name: 'Change and sign in' }).click();
      await page.getByRole('alert').getByText('The current password is not correct.').waitFor();
      await expectAccessible(page);
      await current.fill(PASSWORD);
      await page.getByRole('textbox', { name: 'New password', exact: true }).fill(NEW);
      await page.getByRole('textbox', { name: 'New password, again' }).fill(NEW);
      await page.getByRole('button', { name: 'Change and sign in' }).click();
      await page.waitForURL(new RegExp(`^${portal.url}/\\?ticket=ST-\\w+$`));
    });
  });
});
