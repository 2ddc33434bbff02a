// The single sign-on cookie (TGC): it names the session of a browser, encrypted. @see docs/login.md
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { SealingKey } from './login-key.js';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';

const NAME = 'TGC';

/** What the cookie says. */
export interface CookieContent {
  /** The id of the TGT. */
  readonly tgt: string;
  /** The user wants to be asked before a login to another application. */
  readonly warn: boolean;
  /** For a remembered session: when the browser forgets the cookie, in milliseconds since 1970. */
  readonly expiresAt?: number;
}

@Injectable()
export class SessionCookie {
  constructor(
    private readonly key: SealingKey,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /**
   * The content of the cookie. Undefined without a cookie of this server, and where there are several: one of them was
   * set by a sibling domain, and it may name the session of somebody else. More than eight of the name count as several.
   */
  async read(request: IncomingMessage): Promise<CookieContent | undefined> {
    if (valuesOf(request).length > MAX_COOKIES) return undefined;
    const [content, ...others] = await this.readAll(request);
    return others.length > 0 ? undefined : content;
  }

  /** The contents of all cookies of this server. */
  async readAll(request: IncomingMessage): Promise<readonly CookieContent[]> {
    const values = valuesOf(request);
    const opened = await Promise.all(values.map((each) => this.key.open('session-cookie', each)));
    return opened.filter((each) => each !== undefined) as CookieContent[];
  }

  /** Whether the request has any cookie of the name. */
  isIn(request: IncomingMessage): boolean {
    return valuesOf(request).length > 0;
  }

  /** For `Set-Cookie`. */
  async written(content: CookieContent): Promise<string> {
    const value = await this.key.seal('session-cookie', content);
    const { expiresAt } = content;
    const seconds = expiresAt && Math.floor((expiresAt - Date.now()) / 1_000);
    const end = seconds === undefined ? '' : `; Max-Age=${seconds}`;
    return `${NAME}=${value}${this.attributes()}${end}`;
  }

  /** For `Set-Cookie`: it ends the cookie. */
  cleared(): string {
    return `${NAME}=${this.attributes()}; Max-Age=0`;
  }

  private attributes(): string {
    const { contextPath, baseUrl } = this.settings;
    const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
    return `; Path=${contextPath || '/'}; HttpOnly; SameSite=Lax${secure}`;
  }
}

/** A browser sends no more cookies of one name than there are paths and domains; more come from an attacker. */
const MAX_COOKIES = 8;

function valuesOf({ headers }: IncomingMessage): readonly string[] {
  const prefix = `${NAME}=`;
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
}
