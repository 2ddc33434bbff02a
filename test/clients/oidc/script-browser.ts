// Chromium as the browser of an application whose pages are scripts: it shows its JSON in the first `pre`.
import type { Page } from 'playwright-core';
import type { OpenPage } from '../../support/chromium.js';
import { PASSWORD, USER } from '../running-service.js';
import type { OidcBrowser, Shown } from './oidc-client-suite.js';

/** The application shows something, or it is the login form, the logout page, or a CAS application with its ticket. */
const IS_SETTLED = `document.querySelector('[name=password], pre:not(:empty)') !== null
  || location.pathname.endsWith('/logout') || location.search.includes('ticket=')`;

export class ScriptBrowser implements OidcBrowser {
  private page: Promise<Page> | undefined;

  /** @param edit changes the addresses of authorization requests */
  constructor(
    private readonly openPage: OpenPage,
    private readonly edit: (url: URL) => void,
  ) {}

  async open(address: string): Promise<Shown> {
    const page = await (this.page ??= this.start());
    // An address with another hash alone would load nothing.
    await page.goto('about:blank');
    await page.goto(address);
    return settled(page);
  }

  async login(address: string): Promise<Shown> {
    await this.open(address);
    const page = await (this.page ??= this.start());
    const form = page.url();
    await page.locator('[name=username]').fill(USER);
    await page.locator('[name=password]').fill(PASSWORD);
    await page.locator('[name=password]').press('Enter');
    await page.waitForURL((url) => url.href !== form);
    return settled(page);
  }

  private async start(): Promise<Page> {
    const page = await this.openPage();
    await page.route('**/oidc/authorize?*', async (route) => {
      const url = new URL(route.request().url());
      this.edit(url);
      await route.continue({ url: url.href });
    });
    return page;
  }
}

async function settled(page: Page): Promise<Shown> {
  await page.waitForFunction(IS_SETTLED);
  const shown = page.locator('pre');
  const body = (await shown.count()) > 0 ? await shown.innerText() : await page.content();
  return { url: new URL(page.url()), body };
}
