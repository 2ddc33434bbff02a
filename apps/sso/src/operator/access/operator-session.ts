// The cookie of the console: it names the single sign-on session with which an operator signed in.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { LiveSettings } from '@tessera/config';
import { LoginKey } from '../../login/login-key.js';
import { managementUrl } from '../../settings/operator-settings.js';
import type { SsoSettings } from '../../settings.js';

type CookieName = 'session' | 'state';

/** `state` must come along when the login page redirects back; `session` never comes from another site. */
const SAME_SITE: Readonly<Record<CookieName, string>> = { session: 'Strict', state: 'Lax' };

@Injectable()
export class OperatorSession {
  constructor(
    @Inject(LoginKey) private readonly key: LoginKey,
    @Inject(LiveSettings) private readonly live: Pick<LiveSettings<SsoSettings>, 'current'>,
  ) {}

  /** What {@link write} has stored under this name; undefined without exactly one cookie of it. */
  async read(request: IncomingMessage, name: CookieName): Promise<string | undefined> {
    const prefix = `${this.fullName(name)}=`;
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const [given, ...others] = pairs.filter((pair) => pair.startsWith(prefix));
    if (given === undefined || others.length > 0) return undefined;
    const content = await this.key.open('operator-session', given.slice(prefix.length));
    return Array.isArray(content) && content[0] === name ? String(content[1]) : undefined;
  }

  async write(response: ServerResponse, name: CookieName, value: string): Promise<void> {
    const sealed = await this.key.seal('operator-session', [name, value]);
    response.appendHeader('Set-Cookie', `${this.fullName(name)}=${sealed}${this.attributes(name)}`);
  }

  clear(response: ServerResponse, name: CookieName): void {
    const cookie = `${this.fullName(name)}=${this.attributes(name)}; Max-Age=0`;
    response.appendHeader('Set-Cookie', cookie);
  }

  /** With the prefix `__Host-`, no sibling domain can set it. */
  private fullName(name: CookieName): string {
    return `${this.isSecure ? '__Host-' : ''}tessera-operator-${name}`;
  }

  private attributes(name: CookieName): string {
    return `; Path=/; HttpOnly; SameSite=${SAME_SITE[name]}${this.isSecure ? '; Secure' : ''}`;
  }

  private get isSecure(): boolean {
    return managementUrl(this.live.current).startsWith('https:');
  }
}
