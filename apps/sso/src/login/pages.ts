// Renders the pages for browsers, with the headers that protect them.
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { currentRequestId } from '@tessera/logging';
import { type Answer, html, queryText } from '@tessera/server';
import { CREDENTIAL_FIELDS } from './login-request.js';
import { directionOf, Translations } from './translations.js';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import type { ThemeSettings } from '../settings/theme-settings.js';

export interface Page {
  readonly status: number;
  /** The name of the template. */
  readonly view:
    | 'login'
    | 'confirm'
    | 'consent'
    | 'password-notice'
    | 'new-password'
    | 'signed-in'
    | 'end-sessions'
    | 'confirm-logout'
    | 'device'
    | 'device-end'
    | 'signed-out'
    | 'post'
    | 'message';
  readonly model: Readonly<Record<string, unknown>>;
  /** URL of an image on another host that the page shows. */
  readonly image?: string | undefined;
  /** Tags of languages that the application names. Without them, those of the parameter `ui_locales` count. */
  readonly locales?: string | undefined;
  /** URLs of pages of other hosts that the page contains. */
  readonly frames?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An application, as people know it. The host may be unknown. */
export interface ShownApplication {
  readonly name: string;
  readonly host?: string | undefined;
}

/** A page with a message. `key` starts the keys of its texts. */
export interface Message {
  readonly status: number;
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly application?: ShownApplication | undefined;
  /** In English, for those who develop the application. */
  readonly detail?: string | undefined;
  readonly seconds?: string | undefined;
  readonly next: { readonly href: string; readonly key: string };
}

/** A page that refuses credentials or a token in the address must not repeat them. */
const NOT_REPEATED = [...CREDENTIAL_FIELDS, 'id_token_hint'];

const LOCALE_IN_COOKIES = /(?:^|;\s*)locale=([\w-]+)/;
const YEAR_SECONDS = 365 * 24 * 3_600;

/** The address of the others must not be used twice: it ends a session, or grants a ticket. */
const WITH_LOCALE_LINKS: readonly Page['view'][] = [
  'login',
  'confirm',
  'consent',
  'signed-in',
  'end-sessions',
  'confirm-logout',
  'device',
  'message',
];

/** A language in which the page can be shown. */
interface LocaleLink {
  readonly code: string;
  /** In the language itself. */
  readonly name: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

@Injectable()
export class Pages {
  constructor(
    private readonly translations: Translations,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /**
   * A page in the language that the user chose by the parameter `locale`, or else in one that an application names in
   * `ui_locales`, or else in that of `Accept-Language`.
   */
  async render(request: Request, page: Page): Promise<Answer> {
    const { theme, contextPath, baseUrl } = this.settings;
    const query = new URLSearchParams(queryText(request));
    const chosen = this.localeNamed(query.get('locale'));
    const named = this.localeAmong(page.locales ?? query.get('ui_locales') ?? '');
    const locale = chosen ?? named ?? this.preferredLocale(request);
    const logo = logoUrl(theme.logo, contextPath);
    const body = await rendered(request, page.view, {
      ...page.model,
      locale,
      direction: directionOf(locale),
      locales: hasLocaleLinks(page, request) ? this.localeLinks(request, locale) : [],
      brand: {
        name: theme.name,
        logo: logo || `${contextPath}/assets/mark.svg`,
        footer: theme.footer,
        passwordLink: theme.passwordLink,
        links: footerLinks(theme),
      },
      contextPath,
    });
    const { status } = page;
    const policy = contentSecurityPolicy([logo, page.image], page.frames);
    const headers = { 'Content-Language': locale, ...page.headers };
    const answer = html({ status, body, baseUrl, policy, headers });
    return chosen === undefined ? answer : answer.withCookie(this.localeCookie(chosen));
  }

  /** A page with a message, the reference of the request, and the way on. */
  renderMessage(request: Request, message: Message): Promise<Answer> {
    const { status, headers = {}, ...texts } = message;
    const model = { ...texts, reference: currentRequestId() };
    return this.render(request, { status, view: 'message', model, headers });
  }

  get loginPage(): string {
    return `${this.settings.contextPath}/login`;
  }

  /** The first language that pages have, of tags with spaces between. `fr-CA` stands for `fr` too. */
  localeAmong(tags: string): string | undefined {
    const [first] = tags.split(' ').flatMap((tag) => {
      const [language = ''] = tag.split('-', 1);
      return this.localeNamed(tag) ?? this.localeNamed(language) ?? [];
    });
    return first;
  }

  /** Keeps the choice. */
  private localeCookie(locale: string): string {
    const { baseUrl, contextPath } = this.settings;
    const end = new Date(Date.now() + YEAR_SECONDS * 1_000).toUTCString();
    const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
    return `locale=${locale}; Max-Age=${YEAR_SECONDS}; Path=${contextPath || '/'}; Expires=${end}; HttpOnly${secure}; SameSite=Lax`;
  }

  private preferredLocale(request: Request): string {
    const { locales } = this.translations;
    const [, kept = null] = LOCALE_IN_COOKIES.exec(request.headers.cookie ?? '') ?? [];
    return this.localeNamed(kept) ?? (request.acceptsLanguages([...locales]) || locales[0] || '');
  }

  private localeNamed(name: string | null): string | undefined {
    const wanted = name?.toLowerCase();
    return this.translations.locales.find((each) => each.toLowerCase() === wanted);
  }

  private localeLinks(request: Request, current: string): readonly LocaleLink[] {
    return this.translations.locales.map((code) => {
      const query = new URLSearchParams(queryText(request));
      for (const name of NOT_REPEATED) query.delete(name);
      query.set('locale', code);
      const name = this.translations.translate(code, 'language');
      return { code, name, href: `?${query.toString()}`, isCurrent: code === current };
    });
  }
}

/** With the keys of their texts. */
function footerLinks(theme: ThemeSettings): readonly { key: string; href: string }[] {
  return [
    { key: 'layout.help', href: theme.helpLink },
    { key: 'layout.privacy', href: theme.privacyLink },
    { key: 'layout.imprint', href: theme.imprintLink },
  ].filter(({ href }) => href !== '');
}

function hasLocaleLinks({ view }: Page, { path }: Request): boolean {
  return WITH_LOCALE_LINKS.includes(view) && !/\/(?:logout|confirm)$/.test(path);
}

function rendered({ app }: Request, view: string, model: object): Promise<string> {
  return new Promise((resolve, reject) => {
    app.render(view, model, (error: Error | null, text?: string) => {
      if (error) reject(error);
      else resolve(text ?? '');
    });
  });
}

/** A name of a file is that of a file in `public`. */
function logoUrl(logo: string, contextPath: string): string {
  return logo === '' || logo.startsWith('https:') ? logo : `${contextPath}/assets/${logo}`;
}

/**
 * Allows our own styles and scripts, and nothing inline. It has no `form-action`: Chromium would apply it to the redirect
 * that follows the form, and no application could be reached.
 */
function contentSecurityPolicy(
  images: readonly (string | undefined)[],
  frames: readonly string[] = [],
): string {
  const origins = images.flatMap((image) => imageOrigin(image) ?? []);
  const frameOrigins = frames.flatMap((frame) => originOf(frame) ?? []);
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    ["img-src 'self'", ...new Set(origins)].join(' '),
    ...(frameOrigins.length > 0 ? [`frame-src ${[...new Set(frameOrigins)].join(' ')}`] : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Other characters of a host, such as `;`, would add directives to the policy. */
const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+$/;

/** The host that a browser is sent to. Undefined for a scheme of an application: nobody owns the host in it. */
export function webHostOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : undefined;
}

/** The origin of a page on another host; undefined for a URL that our pages do not contain. */
export function originOf(url: string | undefined): string | undefined {
  const origin = URL.parse(url ?? '')?.origin;
  return origin !== undefined && ORIGIN.test(origin) ? origin : undefined;
}

/** The origin of an image on another host; undefined for a URL that pages do not show. */
export function imageOrigin(image: string | undefined): string | undefined {
  const origin = originOf(image);
  return origin?.startsWith('https:') ? origin : undefined;
}
