import { RequestLimit, rateLimitSettings, type RateLimits } from '@tessera/server';

export class RateLimitSettings extends rateLimitSettings('config-server') {
  /** Of `POST /encrypt`. */
  @RequestLimit('config-server.rate-limit.encrypt', { dev: 0 }) encrypt = 6_000;
  /** Of `POST /decrypt`. */
  @RequestLimit('config-server.rate-limit.decrypt', { dev: 0 }) decrypt = 6_000;

  get limits(): RateLimits {
    const { window, encrypt, decrypt, refresh } = this;
    return { window, requests: { encrypt, decrypt, refresh } };
  }
}
