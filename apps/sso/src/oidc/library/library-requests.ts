// What the library sees of a request: our session as its own, and URLs of the settings.
import { Inject, Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { handleOf, parseTicketId } from '@tessera/tickets';
import { SessionCookie } from '../../login/session-cookie.js';
import { ssoConfig } from '../../settings/namespaces.js';
import type { SsoSettings } from '../../settings/sso-settings.js';
import type { CookieState } from './cookie-state.js';
import { LibraryOutcomes } from './library-outcomes.js';
import { LibraryRateLimit } from './library-rate-limit.js';

/** Of the library. It is between the middleware and the library alone. */
export const SESSION_COOKIE = 'oidc_session';

type Context = Pick<KoaContextWithOIDC, 'req' | 'res'> & { readonly state: object };

@Injectable()
export class LibraryRequests {
  readonly issuer: string;

  constructor(
    private readonly cookie: SessionCookie,
    private readonly limits: LibraryRateLimit,
    private readonly outcomes: LibraryOutcomes,
    @Inject(ssoConfig.KEY) { baseUrl }: Pick<SsoSettings, 'baseUrl'>,
  ) {
    this.issuer = `${baseUrl}/oidc`;
  }

  adapt(provider: Provider): void {
    const { protocol, host } = new URL(this.issuer);
    // Its URLs are those of the settings, whatever a proxy or a client says.
    Object.defineProperties(provider.request, {
      protocol: { get: () => protocol.slice(0, -1) },
      host: { get: () => host },
    });
    this.outcomes.adapt(provider);
    this.limits.adapt(provider);
    provider.use((ctx, next) => this.withSession(ctx, next));
  }

  /** The session that our cookie names is the library's. Browsers never have another one. */
  private async withSession(ctx: Context, next: () => Promise<unknown>): Promise<void> {
    const state = await this.stateOf(ctx.req);
    Object.assign(ctx.state, state);
    const others = cookiesBut(SESSION_COOKIE, ctx.req.headers.cookie);
    const named = state.handle === undefined ? [] : [`${SESSION_COOKIE}=${state.handle}`];
    ctx.req.headers.cookie = [...others, ...named].join('; ');
    try {
      await next();
    } finally {
      dropFromAnswer(SESSION_COOKIE, ctx.res);
    }
  }

  private async stateOf(request: Context['req']): Promise<CookieState> {
    const content = await this.cookie.read(request);
    const id = content && parseTicketId(content.tgt);
    if (content === undefined || id?.kind !== 'TGT') return {};
    return { tgt: content.tgt, handle: handleOf(id), warn: content.warn };
  }
}

function cookiesBut(name: string, header = ''): readonly string[] {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair !== '' && pair.split('=', 1)[0]?.trim() !== name);
}

function dropFromAnswer(name: string, response: Context['res']): void {
  const set = response.getHeader('set-cookie');
  if (set === undefined || response.headersSent) return;
  const kept = [set]
    .flat()
    .map(String)
    .filter((each) => !each.startsWith(`${name}=`));
  if (kept.length > 0) response.setHeader('set-cookie', kept);
  else response.removeHeader('set-cookie');
}
