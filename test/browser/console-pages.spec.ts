// The console for users, readers and others, and what it shows of the config server, in Chromium.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import { describeInChromium, expectAccessible, screenshot } from '../support/chromium.js';
import { startConfigServerNode } from '../support/config-server-node.js';
import {
  goToPage,
  type RunningConsole,
  signInToConsole,
  startConsole,
} from '../support/console.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { http } from '../support/http.js';
import { endPrograms } from '../support/process.js';
import { until } from '../support/until.js';

let database: TestDatabase;
let folder: string;
let running: RunningConsole;

beforeAll(async () => {
  [database, folder] = await Promise.all([
    createTestDatabase({ entities: [RegisteredServiceEntity] }),
    makeFolder(),
  ]);
  const serviceId = '^https://portal\\.example\\.org/.*';
  await ServiceStore.of(database.dataSource).add({ serviceId, name: 'Portal' });
  running = await startConsole(database, folder);
});
afterAll(async () => {
  await endPrograms();
  await Promise.all([database?.drop(), removeFolder(folder)]);
});

describeInChromium('the console', (open) => {
  test('shows who reads which config', async () => {
    const repository = join(folder, 'config-repo');
    await mkdir(repository);
    await writeFile(join(repository, 'orders.yml'), 'a: 1\n');
    const { program, url } = await startConfigServerNode(folder, [
      `--database.url=${database.url}`,
    ]);
    expect((await http('GET', url, '/orders/prod')).status).toBe(200);
    await until('the event', async () => {
      const rows = await database.dataSource.query<unknown[]>(
        `select from audit_trail where action = 'READ_CONFIG'`,
      );
      return rows.length > 0;
    });
    await program.stop();

    const page = await open();
    await signInToConsole(page, running.url);
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
  }, 180_000);

  test('adds, changes and removes a user, and says what is invalid', async () => {
    const page = await open();
    await signInToConsole(page, running.url);
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
  }, 180_000);

  test('shows as unknown what the server cannot tell, until it can', async () => {
    const page = await open();
    await page.clock.install();
    await signInToConsole(page, running.url);
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
    await page.getByRole('link', { name: 'Portal' }).waitFor();
    await page.clock.resume();
    expect(await alert.count()).toBe(0);
    await goToPage(page, 'Dashboard');
    await page.locator('.badge', { hasText: 'up' }).waitFor();
  }, 180_000);

  test('offers a reader nothing that changes, and others no access', async () => {
    const page = await open();
    await signInToConsole(page, running.url, 'reader');
    await page.getByText('reader (read-only)').waitFor();
    await goToPage(page, 'Users');
    await page.getByText('There are none.').waitFor();
    expect(await page.getByRole('button').allTextContents()).toEqual(['Sign out']);
    await goToPage(page, 'Services');
    await page.getByRole('link', { name: 'Portal' }).click();
    await page.getByRole('heading', { name: 'Portal' }).waitFor();
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
  }, 180_000);
});
