// Limits how many requests a client address sends to each endpoint that stores something or checks who the client is.
import { Inject, Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { sha256 } from '@tessera/crypto';
import { currentClientAddress } from '@tessera/logging';
import { networkOf } from '@tessera/runtime';
import { RequestRateStore } from '@tessera/throttling';
import { rateLimitConfig } from '../../settings/namespaces.js';
import type { RateLimitSettings } from '../../settings/rate-limit-settings.js';
import { ENDPOINTS, POST_PATHS } from '../paths/endpoints.js';
import { LibraryPages } from './library-pages.js';
import { answerTemporarily } from './temporary-answers.js';

const LIMITED: readonly string[] = [
  `GET ${ENDPOINTS.authorization}`,
  ...POST_PATHS.map((path) => `POST ${path}`),
];

@Injectable()
export class LibraryRateLimit {
  constructor(
    private readonly requests: RequestRateStore,
    private readonly pages: LibraryPages,
    @Inject(rateLimitConfig.KEY)
    private readonly settings: Pick<RateLimitSettings, 'oidc' | 'register' | 'window'>,
  ) {}

  adapt(provider: Provider): void {
    provider.use(async (context, next) => {
      const ctx = context as KoaContextWithOIDC;
      const seconds = await this.secondsToWait(ctx);
      if (seconds === 0) await next();
      else if (ctx.accepts('json', 'html') === 'html') await this.pages.askToWait(ctx, seconds);
      else answerTemporarily(ctx, 429, 'too many requests: try again later', seconds);
    });
  }

  /** 0 for a request that may go on. */
  private async secondsToWait({ method, path }: KoaContextWithOIDC): Promise<number> {
    const { oidc, register, window } = this.settings;
    const limit = path === ENDPOINTS.registration ? register : oidc;
    if (limit === 0 || !LIMITED.includes(`${method} ${path}`)) return 0;
    const network = networkOf(currentClientAddress() ?? '');
    const key = sha256(JSON.stringify(['oidc', path, network]));
    const { timeToBlockExpire } = await this.requests.increment(key, window, limit, window, '');
    return timeToBlockExpire;
  }
}
