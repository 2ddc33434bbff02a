// Single logout in Chromium: the page of the session, and what the browser does for the applications of the front channel.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInChromium, expectAccessible, screenshot, signIn } from '../support/chromium.js';
import { LogoutReceiver } from '../support/logout-receiver.js';
import { startSso, type Sso } from '../support/sso.js';
import { until } from '../support/until.js';
import { query, validate } from '../support/validation.js';

let sso: Sso;
let wiki: LogoutReceiver;
let calendar: LogoutReceiver;

beforeAll(async () => {
  [wiki, calendar] = await Promise.all([LogoutReceiver.start(), LogoutReceiver.start()]);
  const patternOf = ({ url }: LogoutReceiver): string => `^${url.replaceAll('.', '\\.')}/.*`;
  sso = await startSso({
    settings: ['--sso.base-url=http://127.0.0.1/cas'],
    services: [
      { serviceId: patternOf(wiki), name: 'Wiki', logoutType: 'front' },
      { serviceId: patternOf(calendar), name: 'Calendar', logoutType: 'back' },
    ],
  });
});
beforeEach(() => {
  for (const { received } of [wiki, calendar]) received.length = 0;
});
afterAll(async () => {
  await sso?.close();
  await Promise.all([wiki?.stop(), calendar?.stop()]);
});

/** Opens an application, which validates its ticket. */
async function visit(page: Page, { url }: LogoutReceiver): Promise<void> {
  const service = `${url}/`;
  await page.goto(`${sso.url}/login${query({ service })}`);
  if (page.url().startsWith(sso.url)) await signIn(page);
  await page.waitForURL(/ticket=/);
  const ticket = new URL(page.url()).searchParams.get('ticket') ?? '';
  expect((await validate(sso, '/serviceValidate', { service, ticket })).status).toBe(200);
}

const frontCall = (): string | undefined =>
  wiki.received.find(({ path }) => path.includes('logoutRequest='))?.path;

const backMessage = (): Promise<string> =>
  until(
    'the message of the back channel',
    () => calendar.received.find(({ method }) => method === 'POST')?.body,
  );

describeInChromium('single logout', (open) => {
  test('tells all applications, and goes on to the one that asked for it', async () => {
    const page = await open({ viewport: { width: 1000, height: 820 } });
    await visit(page, wiki);
    await visit(page, calendar);
    await sso.login();
    await page.goto(`${sso.url}/login`);
    await page.getByText('Calendar').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'signed-in');
    await page.goto(`${sso.url}/logout${query({ service: `${wiki.url}/bye` })}`);
    await page.waitForURL(`${wiki.url}/bye`);
    expect(frontCall()).toMatch(/^\/\?logoutRequest=[\w%]+$/);
    expect(await backMessage()).toMatch(/^logoutRequest=/);
    await page.goto(`${sso.url}/login${query({ service: `${wiki.url}/` })}`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('goes on though an application does not answer', async () => {
    const page = await open();
    await visit(page, wiki);
    await page.route(/logoutRequest=/, () => {});
    await page.goto(`${sso.url}/logout${query({ service: `${wiki.url}/bye` })}`, {
      waitUntil: 'commit',
    });
    await page.waitForURL(`${wiki.url}/bye`);
  });

  test('by a form of another site ends the session, though the browser keeps its cookie back', async () => {
    const page = await open();
    await visit(page, calendar);
    await page.route('http://elsewhere.localhost/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${sso.url}/logout"><button>Log out</button></form>`,
      }),
    );
    await page.goto('http://elsewhere.localhost/');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL(`${sso.url}/logout`);
    expect(await backMessage()).toMatch(/^logoutRequest=/);
  });

  test('without JavaScript: offers a button', async () => {
    const page = await open({ javaScriptEnabled: false });
    await visit(page, wiki);
    await page.goto(`${sso.url}/logout${query({ service: `${wiki.url}/bye` })}`);
    expect(frontCall()).toBeDefined();
    await page.getByRole('link', { name: 'Continue to the application' }).click();
    await page.waitForURL(`${wiki.url}/bye`);
  });

  test('the page of the logout has no fault, also while it waits', async () => {
    const page = await open();
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    await visit(page, wiki);
    await page.goto(`${sso.url}/logout`);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await until('the frame has called', frontCall);
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });
});
