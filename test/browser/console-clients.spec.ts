// The console in Chromium: clients of OpenID Connect, and their secrets.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ClientSecrets, RegisteredServiceEntity, ServiceStore } from '@tessera/services';
import { describeInChromium, expectAccessible, screenshot } from '../support/chromium.js';
import {
  goToPage,
  type RunningConsole,
  signInToConsole,
  startConsole,
  watch,
} from '../support/console.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { makeFolder, removeFolder } from '../support/folders.js';
import { endPrograms } from '../support/process.js';

const URI = 'https://notes.example.org/callback';

let database: TestDatabase;
let folder: string;
let running: RunningConsole;

beforeAll(async () => {
  [database, folder] = await Promise.all([
    createTestDatabase({ entities: [RegisteredServiceEntity] }),
    makeFolder(),
  ]);
  running = await startConsole(database, folder);
});
afterAll(async () => {
  await endPrograms();
  await Promise.all([database?.drop(), removeFolder(folder)]);
});

const clientOf = (clientId: string) =>
  ServiceStore.of(database.dataSource).findByClientId(clientId);

describeInChromium('a client of OpenID Connect', (open) => {
  test('is registered, changed, and gets a secret that is shown once', async () => {
    const page = await open({ viewport: { width: 1200, height: 1400 } });
    const seen = watch(page, ['400 /api/v1/services']);
    await signInToConsole(page, running.url);
    await goToPage(page, 'Services');
    await page.getByRole('link', { name: 'Register a service' }).click();
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    await field('Name').fill('Notes');
    await page.getByRole('checkbox', { name: 'A client of OpenID Connect' }).check();
    await field('Client id').fill('my notes');
    await field('Redirect URIs').fill('http://notes.example.org/callback');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('see the marked fields').waitFor();
    await page.getByText('must be 1 to 255 characters of ASCII').waitFor();
    await page.getByText('must be https, except on a loopback host').waitFor();
    await expectAccessible(page);

    await page.getByRole('combobox', { name: 'Logout messages' }).selectOption('back');
    await page.getByText('Without one, the OpenID Connect client gets no messages.').waitFor();
    await field('Client id').fill('notes');
    await field('Redirect URIs').fill(`${URI}\n\n`);
    await field('Scopes').fill('openid\nmail');
    await page.getByRole('combobox', { name: 'Users are asked to agree' }).selectOption('once');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'Notes' }).waitFor();
    const registered = await clientOf('notes');
    expect(registered).toMatchObject({
      serviceId: null,
      attributeRelease: { kind: 'all' },
      client: {
        redirectUris: [URI],
        scopes: ['openid', 'mail'],
        grantTypes: ['authorization_code', 'refresh_token'],
        consent: 'once',
      },
    });

    await page.getByText('OpenID Connect', { exact: true }).evaluate('window.scrollTo(0, 430)');
    await screenshot(page, 'console-client');
    // The announcements of buttons that are gone have no name.
    await page.reload();
    await page.getByRole('button', { name: 'Make a secret' }).click();
    const secret = (await page.getByRole('status').locator('code').textContent()) ?? '';
    expect(secret).toMatch(/^[A-Za-z0-9]{43}$/);
    const { manager } = database.dataSource;
    const isSecret = () =>
      new ClientSecrets(manager).matches(registered?.id ?? '', secret, () =>
        Promise.resolve(false),
      );
    expect(await isSecret()).toBe(true);
    await page.getByRole('table', { name: 'Secrets' }).waitFor();
    await expectAccessible(page);
    await page.reload();
    const rows = page.getByRole('table', { name: 'Secrets' }).getByRole('row');
    await rows.nth(1).waitFor();
    expect(await page.content()).not.toContain(secret);
    await rows.nth(1).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('There are none.').waitFor();
    expect(await isSecret()).toBe(false);

    await field('Client id').fill('new-notes');
    await page.getByRole('checkbox', { name: 'Needs PKCE' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect(await clientOf('new-notes')).toMatchObject({ client: { pkceRequired: false } });
    await goToPage(page, 'Services');
    await page.getByRole('searchbox').or(page.getByRole('textbox')).first().fill('NEW-NOTES');
    await page.getByRole('link', { name: 'Notes' }).waitFor();
    await page.locator('td code', { hasText: 'new-notes' }).waitFor();
    expect(seen.faults).toEqual([]);
  });

  test('is shown to readers, who make no secrets', async () => {
    const client = { redirectUris: [URI] };
    const store = ServiceStore.of(database.dataSource);
    const { id } = await store.add({ name: 'Seen', clientId: 'seen', client });
    await new ClientSecrets(database.dataSource.manager).add(id);
    const page = await open();
    await signInToConsole(page, running.url, 'reader');
    await page.goto(`${running.url}#/services/${id}`);
    await page.getByRole('table', { name: 'Secrets' }).waitFor();
    const clientId = page.getByRole('textbox', { name: 'Client id' });
    expect(await clientId.getAttribute('readonly')).not.toBeNull();
    for (const name of ['Make a secret', 'Remove', 'Save']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    await expectAccessible(page);
  });
});
