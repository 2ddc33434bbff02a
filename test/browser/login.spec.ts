// The login pages in Chromium: what a person does, sees and hears.
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInChromium, expectAccessible, screenshot, signIn } from '../support/chromium.js';
import { FakeHttpServer, reply } from '../support/fake-http-server.js';
import { startSso, type Sso } from '../support/sso.js';

const WIDE = { viewport: { width: 1000, height: 720 } };
const FORM_TREE = `- banner: Tessera
- main:
  - heading "Sign in" [level=1]
  - paragraph: to continue to Portal {host}
  - text: User name
  - textbox "User name"
  - text: Password
  - textbox "Password"
  - button "Show password": Show
  - status
  - checkbox "Ask me before signing me in to other applications"
  - text: Ask me before signing me in to other applications
  - checkbox "Keep me signed in"
  - text: Keep me signed in
  - button "Sign in"`;

let sso: Sso;
let portal: FakeHttpServer;
let wiki: FakeHttpServer;

beforeAll(async () => {
  portal = await FakeHttpServer.start();
  wiki = await FakeHttpServer.start();
  const patternOf = ({ url }: FakeHttpServer): string => `^${url.replaceAll('.', '\\.')}/.*`;
  sso = await startSso({
    settings: ['--sso.base-url=http://127.0.0.1/cas'],
    services: [
      { serviceId: patternOf(portal), name: 'Portal' },
      { serviceId: patternOf(wiki), name: 'Wiki' },
    ],
  });
});
/** Also forgets the requests of the test before. */
beforeEach(() => {
  for (const application of [portal, wiki]) {
    application.respondWith(reply(200, '<title>app</title>', { 'content-type': 'text/html' }));
  }
});
afterAll(async () => {
  await sso.close();
  await Promise.all([portal.stop(), wiki.stop()]);
});

const loginUrl = (application?: FakeHttpServer, others = {}): string => {
  const query = { ...(application && { service: `${application.url}/` }), ...others };
  return `${sso.url}/login?${new URLSearchParams(query).toString()}`;
};

const isAt = async (page: Page, application: FakeHttpServer): Promise<void> =>
  page.waitForURL(new RegExp(`^${application.url}/\\?ticket=ST-\\w+$`));

/** Browsers give the focus some time after the page has loaded. */
async function hasFocus(page: Page, id: string): Promise<void> {
  await page.waitForFunction(`document.activeElement.id === '${id}'`);
}

async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const widths = await page.evaluate<readonly [number, number]>(
    '[document.documentElement.scrollWidth, window.innerWidth]',
  );
  expect(widths[0]).toBeLessThanOrEqual(widths[1]);
}

describeInChromium('in a browser', (open) => {
  test('one login serves two applications, until the user signs out', async () => {
    const page = await open(WIDE);
    await page.goto(loginUrl(portal));
    await screenshot(page, 'login');
    await expectAccessible(page);
    await signIn(page);
    await isAt(page, portal);
    await page.goto(loginUrl(wiki));
    await isAt(page, wiki);
    await page.goto(loginUrl());
    await page.getByText('as casuser').waitFor();
    await sso.login();
    await sso.login();
    await page.reload();
    await expectAccessible(page);
    await page
      .getByRole('button', { name: /^End the session of / })
      .first()
      .click();
    await page.getByRole('button', { name: /^End the session of / }).waitFor();
    await page.getByRole('link', { name: 'End all other sessions' }).click();
    await page.getByRole('heading', { name: 'End all other sessions?' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('Other sessions').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await expectAccessible(page);
    await page.goto(loginUrl(portal));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('a wrong password is told, and the user name stays', async () => {
    const page = await open({ ...WIDE, colorScheme: 'dark' });
    await page.goto(loginUrl(portal));
    await signIn(page, 'wrong');
    const alert = page.getByRole('alert');
    expect(await alert.textContent()).toBe('The user name or the password is not correct.');
    expect(await page.getByRole('textbox', { name: 'User name' }).inputValue()).toBe('casuser');
    await hasFocus(page, 'password');
    await screenshot(page, 'login-refused');
    await expectAccessible(page);
    await signIn(page);
    await isAt(page, portal);
  });

  test('an expired form says so, and the next one works', async () => {
    const page = await open();
    await page.goto(loginUrl(portal));
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 31 * 60_000);
    await signIn(page);
    await page.getByText('This page was open for too long.').waitFor();
    clock.mockRestore();
    // The form was made a moment ago, by a clock that is right again.
    await page.goto(loginUrl(portal));
    await signIn(page);
    await isAt(page, portal);
  });

  test('the form has names for screen readers, and the keyboard suffices', async () => {
    const page = await open();
    await page.goto(loginUrl(portal));
    await hasFocus(page, 'username');
    const tree = FORM_TREE.replace('{host}', new URL(portal.url).host);
    const snapshot = await page.locator('body').ariaSnapshot();
    expect(snapshot.split('- contentinfo')[0]?.trim().replace(' [active]', '')).toBe(tree);
    await page.keyboard.type('casuser');
    const stops: unknown[] = [];
    for (let stop = 0; stop < 6; stop += 1) {
      stops.push(
        await page.evaluate(
          'document.activeElement.id || document.activeElement.name || document.activeElement.type',
        ),
      );
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineWidth');
      expect(outline).toBe('3px');
      await page.keyboard.press('Tab');
    }
    expect(stops).toEqual([
      'username',
      'password',
      'show-password',
      'warn',
      'rememberMe',
      'submit',
    ]);
    const password = page.getByLabel('Password', { exact: true });
    await page.getByRole('button', { name: 'Show password' }).press('Enter');
    expect(await password.getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Show password', pressed: true }).press('Enter');
    expect(await password.getAttribute('type')).toBe('password');
    await page.evaluate(`document.getElementById('password').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'A', modifierCapsLock: true }))`);
    await page.getByText('Caps Lock is on.').waitFor();
    await password.focus();
    await page.keyboard.type('Mellon');
    await page.keyboard.press('Enter');
    await isAt(page, portal);
  });

  test('a ticket that is posted needs no click', async () => {
    const page = await open();
    await page.goto(loginUrl(portal, { method: 'POST' }));
    await signIn(page);
    await page.waitForURL(`${portal.url}/`);
    expect(portal.requests.map(({ method }) => method)).toContain('POST');
  });

  test('without JavaScript everything works, and no control is dead', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(loginUrl(portal, { method: 'POST' }));
    expect(await page.getByRole('button').count()).toBe(1);
    await signIn(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${portal.url}/`);
    expect(portal.requests.map(({ method }) => method)).toContain('POST');
  });

  test.each([
    ['320 px', { viewport: { width: 320, height: 640 } }],
    ['a zoom of 200 %', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ])('at %s nothing is cut off', async (_, options) => {
    const isNarrow = options.viewport.width === 320;
    const page = await open({ ...options, locale: 'fr-FR' });
    const refusal = loginUrl(undefined, { service: 'https://evil.example/' });
    const narrow = [refusal, `${sso.url}/nothing`, `${sso.url}/`];
    for (const url of [...(isNarrow ? narrow : []), loginUrl(portal)]) {
      await page.goto(url);
      await expectNoSidewaysScrolling(page);
      if (isNarrow) await expectAccessible(page);
    }
    if (isNarrow) await screenshot(page, 'login-narrow');
  });

  test('a page in the language of the browser has a link to another language', async () => {
    const page = await open({ locale: 'es-MX' });
    await page.goto(loginUrl(portal));
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page);
    await isAt(page, portal);
  });

  test('pages load only their own files, and the back button shows nothing of an ended session', async () => {
    const page = await open();
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(sso.url).origin)) problems.push(request.url());
    });
    await page.goto(loginUrl());
    await signIn(page);
    await page.getByText('as casuser').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('as casuser').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  // Origin: OWASP "Clickjacking".
  test('no site can frame the page', async () => {
    const page = await open();
    await page.goto(portal.url);
    await page.setContent(`<iframe src="${loginUrl()}"></iframe>`);
    await page.waitForLoadState('networkidle');
    expect(await page.frames().at(-1)?.locator('form').count()).toBe(0);
  });
});
