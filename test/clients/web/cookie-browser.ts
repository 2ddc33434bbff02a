// A browser without a screen: it keeps cookies, follows redirects, and fills in the login form.
import { PASSWORD, USER } from '../running-service.js';

/** The page where a chain of redirects ended. */
export interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const MAX_REDIRECTS = 10;

export class CookieBrowser {
  /** Cookie values by host and port, then by name. Paths are ignored. */
  private readonly cookies = new Map<string, Map<string, string>>();

  async open(address: string | URL, init: RequestInit = {}): Promise<Visit> {
    let url = new URL(address);
    let request = init;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
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

  /** Opens a page that leads to the login form, and sends it. */
  async login(address: string | URL): Promise<Visit> {
    const { url, status, body } = await this.open(address);
    const execution = /name="execution" value="([^"]*)"/.exec(body)?.[1];
    const action = /<form method="post" action="([^"]*)"/.exec(body)?.[1];
    if (execution === undefined || action === undefined) {
      throw new Error(`no login form at ${url.href}: ${status} ${body}`);
    }
    const form = new URLSearchParams({ username: USER, password: PASSWORD, execution });
    const target = new URL(action.replaceAll('&amp;', '&'), url);
    return this.open(target, { method: 'POST', body: form });
  }

  private async send(url: URL, init: RequestInit): Promise<Response> {
    const jar = this.cookies.get(url.host) ?? new Map<string, string>();
    this.cookies.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/max-age=0|expires=thu, 01[ -]jan[ -]1970/i.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
}
