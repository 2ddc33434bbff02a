// Builds the documentation site, checks every link, and opens pages in Chromium.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describeInChromium, expectAccessible, type OpenPage } from '../support/chromium.js';

const SITE = 'dist/site';
const ORIGIN = 'http://docs.test';
const BUILD_TIMEOUT = 300_000;

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['tools/site/main.ts']);
}, BUILD_TIMEOUT);

test('every link leads to a page, a heading or a file', () => {
  const pages = new Map(
    globSync('**/*.html', { cwd: SITE }).map((path) => [
      path,
      readFileSync(join(SITE, path), 'utf8'),
    ]),
  );
  const files = new Set(globSync('**/*', { cwd: SITE }));
  const dead = [...pages].flatMap(([path, html]) =>
    [...html.matchAll(/<a [^>]*href="([^"]*)"/g)]
      .map(([, href = '']) => href.replaceAll('&amp;', '&'))
      .filter((href) => !/^[a-z]+:/.test(href))
      .filter((href) => {
        const { pathname, hash } = new URL(href, `${ORIGIN}/${path}`);
        const target = decodeURIComponent(pathname.slice(1)).replace(/(^|\/)$/, '$1index.html');
        const id = decodeURIComponent(hash.slice(1));
        return !files.has(target) || (id !== '' && !pages.get(target)?.includes(`id="${id}"`));
      })
      .map((href) => `${path}: ${href}`),
  );
  expect(pages.size).toBeGreaterThan(60);
  expect(dead).toEqual([]);
});

test('every picture has a text in its place', () => {
  const without = globSync('**/*.html', { cwd: SITE }).flatMap((path) =>
    [...readFileSync(join(SITE, path), 'utf8').matchAll(/<(?:img|svg)\b[^>]*>/g)]
      .map(([tag]) => tag)
      .filter((tag) => !/\balt="[^"]|aria-label="[^"]|aria-hidden="true"/.test(tag))
      // Those of the front page and the heading are decoration.
      .filter((tag) => !/src="\/(?:mark|mosaic)\.svg" alt\b/.test(tag))
      .map((tag) => `${path}: ${tag}`),
  );
  expect(without).toEqual([]);
});

describeInChromium('the documentation site', (open) => {
  test('leads from the front page through a search to a setting', async () => {
    const { page, faults } = await openSite(open, '/');
    await page.getByRole('heading', { level: 1, name: /Tessera/ }).waitFor();
    await page.getByRole('link', { name: 'Get started' }).first().click();
    await page.getByRole('heading', { name: 'Five minutes' }).waitFor();
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('idle-timeout');
    await page.locator('.result').filter({ hasText: 'Tickets' }).first().click();
    await page.waitForURL(/configuration\.html#tickets$/);
    await page.getByRole('cell', { name: 'sso.tickets.tgt.idle-timeout' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('is dark where the reader likes it, and can be switched', async () => {
    const { page, faults } = await openSite(open, '/architecture.html', { colorScheme: 'dark' });
    const background = 'getComputedStyle(document.body).backgroundColor';
    const dark = await page.evaluate(background);
    await page.getByRole('switch', { name: 'Appearance' }).click();
    expect(await page.evaluate(background)).not.toBe(dark);
    expect(faults).toEqual([]);
  });

  test.each([
    '/',
    '/architecture.html',
    '/configuration.html',
    '/performance.html',
    '/rest-guide.html',
  ])('has nothing outside a narrow screen: %s', async (path) => {
    const { page, faults } = await openSite(open, path, { viewport: { width: 320, height: 700 } });
    const excess = 'document.documentElement.scrollWidth - window.innerWidth';
    expect(await page.evaluate(excess)).toBe(0);
    expect(faults).toEqual([]);
  });

  test.each([
    ['/', 'light'],
    ['/architecture.html', 'dark'],
    ['/performance.html', 'dark'],
    ['/rest-guide.html', 'light'],
  ] as const)('is accessible: %s, %s', async (path, colorScheme) => {
    const { page } = await openSite(open, path, { colorScheme });
    await expectAccessible(page);
  });
});

/** Opens a page of the built files. Requests to other hosts are refused, and are faults. */
async function openSite(
  open: OpenPage,
  path: string,
  options: BrowserContextOptions = {},
): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
  const page = await open({ viewport: { width: 1280, height: 900 }, ...options });
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  await page.route('**/*', async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    if (origin === ORIGIN) {
      await route.fulfill({ path: join(SITE, pathname === '/' ? 'index.html' : pathname) });
    } else {
      faults.push(route.request().url());
      await route.abort();
    }
  });
  await page.goto(`${ORIGIN}${path}`);
  return { page, faults };
}
