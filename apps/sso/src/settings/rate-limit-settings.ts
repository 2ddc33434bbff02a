// The settings of rate limits: requests that one client address may send to a route in a window; 0 for no limit.
import { Max, Min } from 'class-validator';
import { duration, integer, Setting } from '@tessera/config';
import type { RateLimits } from '@tessera/server';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const MAX_REQUESTS = 1_000_000;
export class RateLimitSettings {
  @Setting('sso.rate-limit.window', duration) @Min(SECOND) @Max(DAY) window = 60 * SECOND;
  /** Of `POST /v1/tickets`. */
  @Setting('sso.rate-limit.login', integer) @Min(0) @Max(MAX_REQUESTS) login = 0;
  /** Of `POST /login`. */
  @Setting('sso.rate-limit.login-form', integer) @Min(0) @Max(MAX_REQUESTS) loginForm = 600;
  /** Of `POST /v1/services/add/{tgt}`. */
  @Setting('sso.rate-limit.register', integer) @Min(0) @Max(MAX_REQUESTS) register = 600;
  /** Of `POST /actuator/refresh`. */
  @Setting('sso.rate-limit.refresh', integer) @Min(0) @Max(MAX_REQUESTS) refresh = 600;

  get limits(): RateLimits {
    const { window, login, loginForm, register, refresh } = this;
    return { window, requests: { login, 'login-form': loginForm, register, refresh } };
  }
}
