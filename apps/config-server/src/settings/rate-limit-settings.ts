// The settings of rate limits: requests that one client address may send to a route in a window; 0 for no limit.
import { Max, Min } from 'class-validator';
import { duration, integer, Setting } from '@tessera/config';
import type { RateLimits } from '@tessera/server';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const MAX_REQUESTS = 1_000_000;
export class RateLimitSettings {
  @Setting('config-server.rate-limit.window', duration) @Min(SECOND) @Max(DAY) window = 60 * SECOND;
  /** Of `POST /encrypt`. */
  @Setting('config-server.rate-limit.encrypt', integer, { dev: 0 })
  @Min(0)
  @Max(MAX_REQUESTS)
  encrypt = 6_000;
  /** Of `POST /decrypt`. */
  @Setting('config-server.rate-limit.decrypt', integer, { dev: 0 })
  @Min(0)
  @Max(MAX_REQUESTS)
  decrypt = 6_000;
  /** Of `POST /actuator/refresh`. */
  @Setting('config-server.rate-limit.refresh', integer) @Min(0) @Max(MAX_REQUESTS) refresh = 600;

  get limits(): RateLimits {
    const { window, encrypt, decrypt, refresh } = this;
    return { window, requests: { encrypt, decrypt, refresh } };
  }
}
