// A browser without a screen: it keeps cookies, follows redirects, and fills in the login form.
import { PASSWORD, USER } from '../running-service.js';

/** The page where a chain of redirects ended. */
export interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

interface Credentials {
  readonly username: string;
  readonly password: string;
}

interface Cookie {
  readonly pair: string;
  readonly path: string;
}

const MAX_REDIRECTS = 10;

export class CookieBrowser {
  /** By host and port, then by name and path. */
  private readonly cookies = new Map<string, Map<string, Cookie>>();

  /** @param edit changes addresses before they are opened, as an attacker would */
  constructor(private readonly edit: (url: URL) => void = () => {}) {}

  async open(address: string | URL, init: RequestInit = {}): Promise<Visit> {
    let url = new URL(address);
    let request = init;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      this.edit(url);
      const response = await this.send(url, request);
      const location = response.headers.get('location');
      if (location === null) {
        const { status, headers } = response;
        return { url, status, headers, body: await response.text() };
      }
      await response.body?.cancel();
      url = new URL(location, url);
      request = {};
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects, the last one to ${url.href}`);
  }

  /** Removes the cookies of a host. */
  forget(address: string): void {
    this.cookies.delete(new URL(address).host);
  }

  /** Opens a page that leads to the login form, and sends it. */
  async login(
    address: string | URL,
    credentials: Credentials = { username: USER, password: PASSWORD },
  ): Promise<Visit> {
    const { url, status, body } = await this.open(address);
    const execution = /name="execution" value="([^"]*)"/.exec(body)?.[1];
    // Without an action, the form goes to its own URL.
    const action = /<form method="post"[^>]* action="([^"]*)"/.exec(body)?.[1] ?? url.href;
    if (execution === undefined) {
      throw new Error(`no login form at ${url.href}: ${status} ${body}`);
    }
    const form = new URLSearchParams({ ...credentials, execution });
    const target = new URL(action.replaceAll('&amp;', '&'), url);
    return this.open(target, { method: 'POST', body: form });
  }

  private async send(url: URL, init: RequestInit): Promise<Response> {
    const jar = this.cookies.get(url.host) ?? new Map<string, Cookie>();
    this.cookies.set(url.host, jar);
    const sent = [...jar.values()].filter(({ path }) => isBelow(url.pathname, path));
    const cookie = sent.map(({ pair }) => pair).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';', 1);
      const path = /;\s*path=(\/[^;]*)/i.exec(set)?.[1] ?? url.pathname.replace(/\/[^/]*$/, '');
      const key = `${pair.split('=', 1)[0]};${path}`;
      if (/max-age=0|expires=thu, 01[ -]jan[ -]1970/i.test(set)) jar.delete(key);
      else jar.set(key, { pair, path });
    }
    return response;
  }
}

/** @see RFC 6265 §5.1.4 */
function isBelow(path: string, cookiePath: string): boolean {
  const folder = cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`;
  return `${path}/`.startsWith(folder);
}
