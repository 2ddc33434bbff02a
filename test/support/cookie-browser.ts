// A browser without a screen that keeps all cookies by their path, and follows redirects until they leave the server.
import { http, type Reply } from './http.js';
import { BASE_URL } from './sso.js';
import { formIn, GOOD } from './browser.js';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

const ORIGIN = new URL(BASE_URL).origin;

export class CookieBrowser {
  private cookies: readonly Cookie[] = [];
  /** The URLs that it has called, without those that left the server. */
  readonly visited: string[] = [];

  /** @param url that the server listens on; addresses begin with its base URL */
  constructor(private readonly url: string) {}

  /** The answer that is no redirect of the server to itself. */
  async open(address: string): Promise<Reply> {
    let current = address;
    for (let left = 10; left > 0; left -= 1) {
      const reply = await this.send('GET', current);
      const next = this.nextOf(current, reply);
      if (next === undefined) return reply;
      current = next;
    }
    throw new Error(`too many redirects, the last to ${current}`);
  }

  /** At the login page, without an application. */
  async signIn(fields?: Readonly<Record<string, string>>): Promise<Reply> {
    return this.logIn(await this.open(`${BASE_URL}/login`), fields);
  }

  /** Fills in the login form of a page, and follows what comes then. */
  async logIn(page: Reply, fields: Readonly<Record<string, string>> = GOOD): Promise<Reply> {
    const { action, execution } = formIn(page);
    const address = `${BASE_URL}${action}`;
    const form = { execution, _eventId: 'submit', ...fields };
    const reply = await this.send('POST', address, form);
    const next = this.nextOf(address, reply);
    return next === undefined ? reply : this.open(next);
  }

  has(name: string): boolean {
    return this.cookies.some((each) => each.name === name);
  }

  valueOf(name: string): string | undefined {
    return this.cookies.find((each) => each.name === name)?.value;
  }

  set(name: string, value: string, path: string): void {
    this.cookies = [...this.cookies.filter((each) => each.name !== name), { name, value, path }];
  }

  forget(name: string): void {
    this.cookies = this.cookies.filter((each) => each.name !== name);
  }

  async send(
    method: string,
    address: string,
    form?: Readonly<Record<string, string>> | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const { pathname, search } = new URL(address);
    this.visited.push(address);
    const sent = this.cookies.filter(({ path }) => pathname.startsWith(path));
    const cookie = sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    const reply = await http(method, new URL(this.url).origin, `${pathname}${search}`, {
      headers: { accept: 'text/html', ...(cookie && { cookie }), ...headers },
      ...(form && { form }),
    });
    for (const each of reply.headers['set-cookie'] ?? []) this.keep(each);
    return reply;
  }

  private nextOf(address: string, { status, headers }: Reply): string | undefined {
    if (status !== 302 && status !== 303) return undefined;
    const next = new URL(headers.location ?? '', address);
    return next.origin === ORIGIN ? next.href : undefined;
  }

  private keep(header: string): void {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/';
    const others = this.cookies.filter((each) => each.name !== name || each.path !== path);
    const isGone = value === '' || /expires=Thu, 01 Jan 1970|max-age=0/i.test(header);
    this.cookies = isGone ? others : [...others, { name, value, path }];
  }
}
