// Sign-outs that an OpenID Connect client begins, in Chromium: the question, and what the browser does for other clients.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInChromium, expectAccessible, signIn } from '../support/chromium.js';
import { LogoutReceiver } from '../support/logout-receiver.js';
import { startOidc } from '../support/oidc-client.js';
import type { Sso } from '../support/sso.js';
import { until } from '../support/until.js';
import { query } from '../support/validation.js';

let sso: Sso;
let client: LogoutReceiver;

beforeAll(async () => {
  client = await LogoutReceiver.start();
  sso = await startOidc({
    settings: ['--sso.base-url=http://127.0.0.1/cas'],
    services: [
      {
        name: 'Calendar',
        clientId: 'calendar',
        client: {
          redirectUris: [`${client.url}/callback`],
          postLogoutRedirectUris: [`${client.url}/bye`],
        },
      },
      {
        name: 'Front',
        clientId: 'front',
        logoutType: 'front',
        logoutUrl: `${client.url}/front`,
        client: { redirectUris: [`${client.url}/callback`] },
      },
    ],
  });
});
beforeEach(() => {
  client.received.length = 0;
});
afterAll(async () => {
  await sso?.close();
  await client?.stop();
});

/** A sign-out of the client without an ID token. */
const address = (others: Readonly<Record<string, string>> = {}): string =>
  `${sso.url}/oidc/session/end${query({
    client_id: 'calendar',
    post_logout_redirect_uri: `${client.url}/bye`,
    state: 's',
    ...others,
  })}`;

async function logIn(page: Page): Promise<void> {
  await page.goto(`${sso.url}/login`);
  await signIn(page);
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
}

const signOut = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Sign out' }).click();

describeInChromium('the sign-out of a client', (open) => {
  test('asks; the user may stay, or sign out and go on', async () => {
    const page = await open();
    await logIn(page);
    await page.goto(address());
    await page.getByText('at the request of Calendar').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Stay signed in' }).click();
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await page.goto(address());
    await signOut(page);
    await page.waitForURL(`${client.url}/bye?state=s`);
    await page.goto(`${sso.url}/login`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('lets the browser call the clients of the front channel first', async () => {
    const page = await open();
    await logIn(page);
    const [session] = await sso.tickets.sessions.list({ principal: 'casuser', limit: 1 });
    if (session === undefined) throw new Error('there is no session');
    const front = { protocol: 'oidc', application: 'front', sessionIndex: 'its-sid' } as const;
    await sso.tickets.recordApplication(session.handle, front);
    await page.goto(address());
    await signOut(page);
    await page.waitForURL(`${client.url}/bye?state=s`);
    const call = await until('the call', () =>
      client.received.find(({ path }) => path.startsWith('/front')),
    );
    expect(call.path).toBe(`/front${query({ iss: 'http://127.0.0.1/cas/oidc', sid: 'its-sid' })}`);
  });

  test('by a form of another site asks too, though the browser keeps its cookie back', async () => {
    const page = await open();
    await logIn(page);
    await page.route('http://elsewhere.localhost/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${sso.url}/oidc/session/end"><input name="client_id" value="calendar"><button>Log out</button></form>`,
      }),
    );
    await page.goto('http://elsewhere.localhost/');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Sign out?' }).waitFor();
    await signOut(page);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  });

  test('asks in each language, in the dark and on a narrow screen', async () => {
    const page = await open({ viewport: { width: 320, height: 740 }, colorScheme: 'dark' });
    await logIn(page);
    for (const [locale, title, language] of [
      ['en', 'Sign out?', 'English'],
      ['de', 'Abmelden?', 'Deutsch'],
      ['fr', 'Se déconnecter ?', 'Français'],
      ['es', '¿Cerrar la sesión?', 'Español'],
    ] as const) {
      await page.goto(address({ ui_locales: 'xx' }));
      await page.getByRole('link', { name: language }).click();
      await page.getByRole('heading', { name: title }).waitFor();
      expect(new URL(page.url()).searchParams.get('state')).toBe('s');
      expect(new URL(page.url()).searchParams.get('locale')).toBe(locale);
      const excess = await page.evaluate(
        'document.documentElement.scrollWidth - window.innerWidth',
      );
      expect(excess).toBe(0);
      await expectAccessible(page);
    }
  });
});
