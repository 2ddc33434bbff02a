// An operator's day in the console, in Chromium.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { productVersion } from '@tessera/runtime';
import { RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import { describeInChromium, expectAccessible, screenshot } from '../support/chromium.js';
import {
  apereoFile,
  goToPage,
  nextReading,
  type RunningConsole,
  signInToConsole,
  startConsole,
  visitApplication,
  watch,
} from '../support/console.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { answer, LogoutReceiver } from '../support/logout-receiver.js';
import { endPrograms } from '../support/process.js';
import { until } from '../support/until.js';

/** Of the dashboard. The picture in the docs shows more of them. */
const READINGS = process.env['UPDATE_SCREENSHOTS'] === '1' ? 24 : 3;

type StoredCookies = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Those with a table or tiles. */
const PAGES = ['Dashboard', 'Services', 'Sessions', 'Users', 'Audit', 'Settings'];

let database: TestDatabase;
let app: LogoutReceiver;
let folder: string;
let running: RunningConsole;
/** The cookies of casuser, who has signed in in the first test. */
let signedIn: StoredCookies;

beforeAll(async () => {
  [database, app, folder] = await Promise.all([
    createTestDatabase({ entities: [RegisteredServiceEntity] }),
    LogoutReceiver.start(),
    makeFolder(),
  ]);
  const serviceId = `^${app.url}/away$`;
  await ServiceStore.of(database.dataSource).add({ serviceId, name: 'Away', logoutType: 'back' });
  running = await startConsole(database, folder);
});
afterAll(async () => {
  await endPrograms();
  await Promise.all([app?.stop(), database?.drop(), removeFolder(folder)]);
});

const visit = (user: string, path = '/app'): Promise<string> =>
  visitApplication(running.sso, `${app.url}${path}`, user);

describeInChromium("an operator's day", (open) => {
  test('signs in, registers, watches, finds out, ends a session, and finds all of it', async () => {
    const page = await open({ viewport: { width: 1200, height: 860 } });
    const seen = watch(page, ['400 /api/v1/services/2', '404 /api/v1/users/ann']);
    await page.clock.install();
    await signInToConsole(page, running.url);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    signedIn = await page.context().storageState();
    await page.getByRole('banner').getByText(productVersion(), { exact: true }).waitFor();

    await goToPage(page, 'Services');
    await page.getByRole('link', { name: 'Register a service' }).click();
    await page.getByText('Paste the file of a service of Apereo CAS').click();
    await page.getByRole('textbox', { name: 'Service file' }).fill(apereoFile(app.url));
    await page.getByRole('button', { name: 'Read the file' }).click();
    await page.getByText('theme has no effect').waitFor();
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`${app.url}/app`);
    await page.getByText('"Wiki" is enabled').waitFor();
    await expectAccessible(page);
    await page.getByText('Paste the file of a service of Apereo CAS').click();
    await page.evaluate('scrollTo(0, 0)');
    await screenshot(page, 'console-service');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'Wiki' }).waitFor();

    const services = ServiceStore.of(database.dataSource);
    const wiki = async () => (await services.list()).find(({ name }) => name === 'Wiki');
    await services.update((await wiki())?.id ?? '', { properties: { owner: 'staff' } });
    await page.reload();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('');
    await page.getByRole('textbox', { name: 'Pattern' }).fill('(');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('see the marked fields').waitFor();
    const name = page.getByRole('textbox', { name: 'Name', description: /must/ });
    expect(await name.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true');
    await page.getByRole('textbox', { name: 'Pattern', description: /pattern/ }).waitFor();
    await expectAccessible(page);
    await page
      .getByRole('textbox', { name: 'Pattern' })
      .fill(`^${app.url.replaceAll('.', '\\.')}/.*`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Wiki');
    await page.getByRole('textbox', { name: 'Description' }).fill('Of the staff');
    await page
      .getByRole('textbox', { name: 'Names and values' })
      .fill(`owner = staff\nlogo = https://static.example.org/wiki.svg`);
    await page.getByRole('status').getByText('Not saved yet.').waitFor();
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Save');
    expect(await wiki()).toMatchObject({
      description: 'Of the staff',
      properties: { owner: 'staff', logo: 'https://static.example.org/wiki.svg' },
    });

    await page.getByRole('textbox', { name: 'Description' }).fill('Of all');
    await page.getByRole('status').getByText('Not saved yet.').waitFor();
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click();
    expect(page.url()).toContain('#/services/');
    expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Of all');
    page.once('dialog', (dialog) => void dialog.accept());
    await goToPage(page, 'Dashboard');
    await page.getByText('Registered services').waitFor();
    for (let reading = 0; reading < READINGS; reading += 1) {
      for (let user = 0; user < reading % 4; user += 1) await visit('ben');
      const form = { username: 'ben', password: 'wrong' };
      if (reading % 7 === 0) await http('POST', running.sso, '/v1/tickets', { form });
      await nextReading(page);
    }
    await visit('ann');
    await nextReading(page);
    await page.locator('dt:has-text("accepted") + dd', { hasNotText: /^[0–]$/ }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'console-dashboard');
    const pointsOf = async (): Promise<number> =>
      (await page.locator('svg path').first().getAttribute('d'))?.length ?? 0;
    const points = await pointsOf();
    await goToPage(page, 'Services');
    await nextReading(page);
    await goToPage(page, 'Dashboard');
    await until('the readings of both pages', async () => (await pointsOf()) > points);

    await goToPage(page, 'Try a URL');
    await page.getByRole('textbox', { name: 'URL' }).fill(`${app.url}/app`);
    await page.getByRole('textbox', { name: 'User' }).fill('reader');
    await page.getByRole('checkbox', { name: 'Give other attributes' }).check();
    await page.getByRole('textbox', { name: 'Attributes' }).fill('memberOf = guests');
    await page.getByRole('button', { name: 'Try' }).click();
    await page.getByText('The user has none of the values that "Wiki" requires').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'console-try-url');

    await goToPage(page, 'Sessions');
    await page.getByRole('table').getByRole('link', { name: 'ann' }).click();
    await page.getByText(`${app.url}/app`).waitFor();
    await page.getByRole('button', { name: 'End the session' }).click();
    await expectAccessible(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'End the session' }).click();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await until('the message', () =>
      app.received.some(({ body }) => body.includes('logoutRequest=')),
    );

    await page.getByRole('searchbox', { name: 'Name of a user' }).fill('ben');
    await page.getByRole('button', { name: 'End all sessions' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('heading', { name: /End all \d+ sessions of ben\?/ }).waitFor();
    const cancel = question.getByRole('button', { name: 'Cancel' });
    expect(await cancel.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await cancel.click();
    expect(
      await page.getByRole('table').getByRole('link', { name: 'ben' }).count(),
    ).toBeGreaterThan(1);

    await goToPage(page, 'Audit');
    await page.getByRole('combobox', { name: 'Action' }).selectOption('END_SESSIONS');
    const row = page.getByRole('row', { name: /END_SESSIONS success casuser ann/ });
    // Events are written a moment later.
    await until('the event', async () => {
      await page.getByRole('button', { name: 'Search' }).click();
      return (await row.count()) === 1;
    });
    await row.getByRole('button', { name: 'Details' }).click();
    await page.getByText('"sessions": 1').waitFor();
    await expectAccessible(page);
    await row.getByRole('link', { name: 'ann' }).click();
    await page.getByText('The database has no account of this name').waitFor();

    await goToPage(page, 'Audit');
    await page.getByRole('combobox', { name: 'Time' }).selectOption('last hour');
    await page.getByRole('textbox', { name: 'User' }).fill('ann');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/#\/audit\?user=ann&last=1h$/);
    await page.reload();
    expect(await page.getByRole('combobox', { name: 'Time' }).inputValue()).toBe('1h');
    const validated = page.getByRole('row', { name: /VALIDATE_TICKET success ann/ });
    await validated.getByRole('link', { name: `${app.url}/app` }).click();
    await page.getByRole('heading', { name: 'Wiki' }).waitFor();
    await page.goBack();
    await page.getByRole('combobox', { name: 'Time' }).selectOption('from … to …');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No event matches these filters').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Show all events' }).click();
    await row.waitFor();

    expect(seen.faults).toEqual([]);
    expect([...seen.hosts]).toEqual(['console.localhost', '127.0.0.1']);
  });

  test('has no fault on any page, in the dark and on a narrow screen, by keyboard', async () => {
    await database.dataSource.query(
      `insert into audit_event (action, principal, service, client_address, application, node)
       values ('GRANT_PROXY_GRANTING_TICKET', $1, $2, '2001:db8:85a3:1111:2222:8a2e:370:7334', 'sso', 'x')`,
      ['firstname.lastname.of.a.person', `https://apps.example.org/${'a'.repeat(60)}`],
    );
    const page = await open({
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
      storageState: signedIn,
    });
    const seen = watch(page, [
      '404 /api/v1/services/99',
      '404 /api/v1/services/x',
      '404 /api/v1/sessions/x',
    ]);
    await page.goto(running.url);
    for (const name of [...PAGES, 'Logout messages', 'Try a URL']) {
      await goToPage(page, name);
      if (PAGES.includes(name)) await page.locator('td, dd, .empty').first().waitFor();
      for (const width of [320, 1_100, 1_280]) {
        await page.setViewportSize({ width, height: 740 });
        const excess = await page.evaluate(
          'document.documentElement.scrollWidth - window.innerWidth',
        );
        expect([name, width, excess]).toEqual([name, width, 0]);
      }
      await page.setViewportSize({ width: 360, height: 740 });
      await expectAccessible(page);
    }
    for (const path of ['nothing', 'users/.', 'users/%2E%2E', 'users/a/b', 'settings/x']) {
      await page.goto(`${running.url}#/${path}`);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      if (path === 'nothing') await expectAccessible(page);
      await page.getByRole('link', { name: 'Go to the dashboard' }).click();
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    }
    for (const [path, way] of [
      ['services/99', 'All services'],
      ['services/x', 'All services'],
      ['sessions/x', 'All sessions'],
    ] as const) {
      await page.goto(`${running.url}#/${path}`);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      await page.getByRole('link', { name: way }).click();
      await page.getByRole('heading', { name: way.replace('All s', 'S') }).waitFor();
    }
    await goToPage(page, 'Settings');
    await page.reload();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    expect(seen.faults).toEqual([]);
  });

  test('tells what waits: settings for a restart, logout messages for their next attempt', async () => {
    const page = await open({ storageState: signedIn });
    await page.goto(running.url);
    await goToPage(page, 'Settings');
    await page.getByRole('row', { name: /^sso\.theme\.footer none default$/ }).waitFor();
    await writeFile(join(folder, 'sso.yml'), 'tracing.enabled: true\nsso.theme.footer: Acme\n');
    await http('POST', running.sso, '/actuator/refresh');
    await page.reload();
    await page.getByText('after a restart: tracing.enabled.').waitFor();
    await page.getByRole('checkbox', { name: 'Without defaults' }).check();
    await page
      .getByRole('row', { name: /^tracing\.enabled false restart needed .*yml:1$/ })
      .waitFor();
    await page.getByRole('row', { name: /^sso\.theme\.footer Acme .*yml:2$/ }).waitFor();
    await expectAccessible(page);

    await goToPage(page, 'Logout messages');
    await page.getByText('No message has failed.').waitFor();
    await page.getByRole('combobox', { name: 'State' }).selectOption('waiting');
    await page.getByText('No message waits.').waitFor();
    app.behave('/away', answer(503));
    const session = await visit('ann', '/away');
    await http('DELETE', running.sso, `/v1/tickets/${session}`);
    await until('the refused message', () => app.messagesTo('/away').length > 0);
    const message = page.getByRole('row', { name: `${app.url}/away ann` });
    await until('the message', async () => {
      await page.reload();
      await page.getByText(/^No message waits|^Next attempt/).waitFor();
      return (await message.getByText('503').count()) === 1;
    });
    await expectAccessible(page);
  });

  test('shows who reads which config', async () => {
    await database.dataSource.query(
      `insert into audit_event (action, subject, client_address, application, node)
       values ('READ_CONFIG', 'orders/prod', '127.0.0.1', 'config-server', 'x')`,
    );
    const page = await open({ storageState: signedIn });
    await page.goto(running.url);
    await goToPage(page, 'Audit');
    await page.getByRole('combobox', { name: 'Action' }).selectOption('READ_CONFIG');
    await page.getByRole('button', { name: 'Search' }).click();
    const row = page.getByRole('row', { name: /READ_CONFIG success/ });
    await row.getByText('orders/prod').waitFor();
    await row.getByText('127.0.0.1').waitFor();
    await row.getByRole('button', { name: 'Details' }).click();
    await page.getByText('config-server').first().waitFor();
    await expectAccessible(page);
    await screenshot(page, 'console-audit');
  });

  test('adds, changes and removes a user, and says what is invalid', async () => {
    const page = await open({ storageState: signedIn });
    await page.goto(running.url);
    await goToPage(page, 'Users');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('dora');
    await page.getByRole('textbox', { name: 'Password' }).fill('first');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { name: 'dora' }).waitFor();
    await page.getByRole('textbox', { name: 'Attributes' }).fill('userPassword = x');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('attribute userPassword').waitFor();
    await page.getByRole('textbox', { name: 'Attributes' }).fill('mail = dora@example.org');
    await page.getByRole('checkbox', { name: 'Disabled' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.badge', { hasText: 'disabled' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('There are none.').waitFor();
  });

  test('shows as unknown what the server cannot tell, until it can', async () => {
    const page = await open({ storageState: signedIn });
    await page.clock.install();
    await page.goto(running.url);
    await page.locator('.badge', { hasText: 'up' }).waitFor();
    const problem = {
      status: 503,
      code: 'TEMPORARILY_UNAVAILABLE',
      detail: 'The database is away',
    };
    const json = JSON.stringify(problem);
    await page.route('**/api/v1/**', (route) =>
      route.fulfill({ status: 503, body: json, contentType: 'application/problem+json' }),
    );
    await page.clock.fastForward(5_000);
    await page.locator('.badge', { hasText: 'unknown' }).waitFor();
    expect(await page.locator('.tiles').textContent()).toMatch(/services–.*use–.*messages–/);
    await goToPage(page, 'Services');
    const alert = page.getByRole('alert').getByText('The database is away');
    await alert.waitFor();
    await page.reload();
    await page.getByText('The database is away').waitFor();
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
    await page.unroute('**/api/v1/**');
    await page.clock.fastForward(5_000);
    await page.getByRole('link', { name: 'Away' }).waitFor();
    await page.clock.resume();
    expect(await alert.count()).toBe(0);
    await goToPage(page, 'Dashboard');
    await page.locator('.badge', { hasText: 'up' }).waitFor();
  });

  test('offers a reader nothing that changes, and others no access', async () => {
    const page = await open();
    await signInToConsole(page, running.url, 'reader');
    await page.getByText('reader (read-only)').waitFor();
    await goToPage(page, 'Users');
    await page.getByText('There are none.').waitFor();
    expect(await page.getByRole('button').allTextContents()).toEqual(['Sign out']);
    await goToPage(page, 'Services');
    await page.getByRole('link', { name: 'Away' }).click();
    await page.getByRole('heading', { name: 'Away' }).waitFor();
    expect(await page.getByRole('button').allTextContents()).toEqual(['Sign out']);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/cas\/logout/);

    const other = await open();
    await signInToConsole(other, running.url, 'ann');
    await other.getByRole('heading', { name: 'You have no access' }).waitFor();
    await other.getByText('does not have memberOf=admin').waitFor();
    await other.getByRole('link', { name: 'Try again' }).waitFor();
    await expectAccessible(other);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.waitForURL(/\/cas\/logout/);
    await other.goto(running.url);
    await other.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    await expectAccessible(other);
  });
});
