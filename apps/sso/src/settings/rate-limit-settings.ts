import { RequestLimit, rateLimitSettings, type RateLimits } from '@tessera/server';

export class RateLimitSettings extends rateLimitSettings('sso') {
  /** Of `POST /v1/tickets`. */
  @RequestLimit('sso.rate-limit.login') login = 0;
  /** Of `POST /login`. */
  @RequestLimit('sso.rate-limit.login-form') loginForm = 600;
  /** Of `POST /v1/services/add/{tgt}`, and of clients of OpenID Connect that register themselves. */
  @RequestLimit('sso.rate-limit.register') register = 600;
  /** Of each endpoint of OpenID Connect that stores something or checks the client. Users of an application share its address. */
  @RequestLimit('sso.rate-limit.oidc') oidc = 6_000;

  get limits(): RateLimits {
    const { window, login, loginForm, register, refresh } = this;
    return { window, requests: { login, 'login-form': loginForm, register, refresh } };
  }
}
