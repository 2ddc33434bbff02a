// Runs Chromium (Debian's, or another that CHROMIUM names) without a window. Without it, the tests that need it are
// skipped with a message.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

const IMAGES = join(import.meta.dirname, '../../docs/images');
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** No sandbox, because root has none; and no call to any host of its maker. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Opens pages, each in a browser profile of its own. */
export type OpenPage = (options?: BrowserContextOptions) => Promise<Page>;

/** @param tests get a function that opens pages; they are closed after each test */
export function describeInChromium(title: string, tests: (open: OpenPage) => void): void {
  if (!existsSync(CHROMIUM)) {
    test(`left out without Chromium: ${title}`, () => {
      process.stderr.write(`there is no ${CHROMIUM}: the tests of "${title}" are left out\n`);
    });
    return;
  }
  describe(title, () => {
    let browser: Browser;
    const contexts: BrowserContext[] = [];
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
    });
    afterEach(async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
    });
    afterAll(() => browser.close());
    tests(async (options) => {
      const context = await browser.newContext({ locale: 'en-GB', ...options });
      contexts.push(context);
      return context.newPage();
    });
  });
}

/** The rules of axe for WCAG 2.2, levels A and AA, without those for frames. */
const AXE_OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  iframes: false,
} satisfies axe.RunOptions;

/** Checks a page by {@link AXE_OPTIONS}. */
export async function expectAccessible(page: Page): Promise<void> {
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe.source);
  const run = `axe.run(${JSON.stringify(AXE_OPTIONS)})`;
  const { violations } = await page.evaluate<axe.AxeResults>(run);
  const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  expect(found).toEqual([]);
}

/** Fills in the login form that the page shows. */
export async function signIn(page: Page, password = 'Mellon'): Promise<void> {
  await page.getByRole('textbox', { name: 'User name' }).fill('casuser');
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** A picture of the docs. `UPDATE_SCREENSHOTS=1 npm test -- test/browser` renews all of them. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const path = join(IMAGES, `${name}.png`);
  if (process.env['UPDATE_SCREENSHOTS'] === '1') await page.screenshot({ path });
  expect(existsSync(path)).toBe(true);
}
