// The cookies of the console: the token of the session with which an operator signed in, and the state of a sign-in.
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '@tessera/services';
import { SessionAdministration } from '@tessera/tickets';
import { CurrentPrincipals } from '../../authentication/current-principals.js';
import { managementUrl } from '../../settings/operator-settings.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import { ssoConfig } from '../../settings/namespaces.js';

/** A user who has signed in. */
interface SignedIn {
  readonly name: string;
  /** With his current attributes; undefined for a user who is disabled, expired or removed. */
  readonly principal: Principal | undefined;
  /** The handle of his single sign-on session. */
  readonly session: string;
}

type CookieName = 'session' | 'state';

/** `state` must come along when the login page redirects back; `session` never comes from another site. */
const SAME_SITE: Readonly<Record<CookieName, string>> = { session: 'Strict', state: 'Lax' };

@Injectable()
export class OperatorSession {
  constructor(
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
    private readonly sessions: SessionAdministration,
    private readonly principals: CurrentPrincipals,
  ) {}

  /** The user of the cookie; undefined without a live session. */
  async of(request: IncomingMessage): Promise<SignedIn | undefined> {
    const token = this.read(request, 'session');
    const details = token === undefined ? undefined : await this.sessions.findByConsoleToken(token);
    if (details === undefined) return undefined;
    const { authentication, handle } = details;
    const principal = await this.principals.of(authentication);
    return { name: authentication.principal.id, principal, session: handle };
  }

  /** The cookie for a session; undefined where it has ended. */
  async start(handle: string): Promise<string | undefined> {
    const token = await this.sessions.issueConsoleToken(handle);
    return token && this.cookie('session', token);
  }

  /** The value of the cookie of this name; undefined without exactly one of them. */
  read(request: IncomingMessage, name: CookieName): string | undefined {
    const prefix = `${this.fullName(name)}=`;
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const [given, ...others] = pairs.filter((pair) => pair.startsWith(prefix));
    return others.length > 0 ? undefined : given?.slice(prefix.length) || undefined;
  }

  /** @param value random letters and digits */
  cookie(name: CookieName, value: string): string {
    return `${this.fullName(name)}=${value}${this.attributes(name)}`;
  }

  /** Ends the cookie. */
  cleared(name: CookieName): string {
    return `${this.cookie(name, '')}; Max-Age=0`;
  }

  /** With the prefix `__Host-`, no sibling domain can set it. */
  private fullName(name: CookieName): string {
    return `${this.isSecure ? '__Host-' : ''}tessera-operator-${name}`;
  }

  private attributes(name: CookieName): string {
    return `; Path=/; HttpOnly; SameSite=${SAME_SITE[name]}${this.isSecure ? '; Secure' : ''}`;
  }

  private get isSecure(): boolean {
    return managementUrl(this.settings).startsWith('https:');
  }
}
