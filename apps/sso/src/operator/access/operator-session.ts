// The cookies of the console: the token of the session with which an operator signed in, and the state of a sign-in.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { LiveSettings } from '@tessera/config';
import { SessionAdministration, type SessionDetails } from '@tessera/tickets';
import { managementUrl } from '../../settings/operator-settings.js';
import type { SsoSettings } from '../../settings.js';

type CookieName = 'session' | 'state';

/** `state` must come along when the login page redirects back; `session` never comes from another site. */
const SAME_SITE: Readonly<Record<CookieName, string>> = { session: 'Strict', state: 'Lax' };

@Injectable()
export class OperatorSession {
  constructor(
    @Inject(LiveSettings) private readonly live: Pick<LiveSettings<SsoSettings>, 'current'>,
    private readonly sessions: SessionAdministration,
  ) {}

  /** The live session of the cookie. */
  async of(request: IncomingMessage): Promise<SessionDetails | undefined> {
    const token = this.read(request, 'session');
    return token === undefined ? undefined : this.sessions.findByConsoleToken(token);
  }

  /** Sets the cookie for a session. @returns false where the session has ended */
  async start(response: ServerResponse, handle: string): Promise<boolean> {
    const token = await this.sessions.issueConsoleToken(handle);
    if (token === undefined) return false;
    this.write(response, 'session', token);
    return true;
  }

  /** What {@link write} has stored under this name; undefined without exactly one cookie of it. */
  read(request: IncomingMessage, name: CookieName): string | undefined {
    const prefix = `${this.fullName(name)}=`;
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const [given, ...others] = pairs.filter((pair) => pair.startsWith(prefix));
    return others.length > 0 ? undefined : given?.slice(prefix.length) || undefined;
  }

  /** @param value random letters and digits */
  write(response: ServerResponse, name: CookieName, value: string): void {
    response.appendHeader('Set-Cookie', `${this.fullName(name)}=${value}${this.attributes(name)}`);
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
