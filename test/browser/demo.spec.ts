// The demo in Chromium: what the README's tour shows.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInChromium, expectAccessible, screenshot, signIn } from '../support/chromium.js';
import { type Demo, startDemo, startSsoForDemo } from '../support/demo.js';
import { endPrograms } from '../support/process.js';
import type { Sso } from '../support/sso.js';
import { until } from '../support/until.js';

let sso: Sso;
let demo: Demo;

beforeAll(async () => {
  sso = await startSsoForDemo();
  demo = await startDemo(sso.url);
});
afterAll(async () => {
  await endPrograms();
  await sso.close();
});

describeInChromium('the demo', (open) => {
  test('leads through single sign-on and single logout, also in a narrow window', async () => {
    const page = await open({ viewport: { width: 1000, height: 740 } });
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(demo.wiki);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page);
    await page.getByRole('heading', { name: 'Signed in as casuser' }).waitFor();
    await page.getByText('Coffee with casuser').waitFor();
    await expectAccessible(page);
    await screenshot(page, 'demo');
    await page.getByRole('link', { name: 'Open Calendar' }).click();
    await page.waitForURL(`${demo.calendar}/`);
    await page.getByRole('heading', { name: 'Signed in as casuser' }).waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    await page.getByText('You are signed out of all applications.').waitFor();
    // Wiki is told at about the time when the browser comes back.
    await until('the session of Wiki has ended', async () => {
      await page.goto(demo.wiki);
      return (await page.getByText('Single logout:').count()) > 0;
    });
    await expectAccessible(page);
    expect(problems).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    const width = 'document.documentElement.scrollWidth';
    expect(await page.evaluate<number>(width)).toBeLessThanOrEqual(320);
  });
});
