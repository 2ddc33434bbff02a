// Refuses forms that another site sends, so that nobody can be logged in without noticing it (login CSRF).
import type { IncomingMessage } from 'node:http';
import { Inject, type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AdmissionError } from '@tessera/server';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';

/** @see https://www.w3.org/TR/fetch-metadata/ */
const TRUSTED_SITES: readonly unknown[] = ['same-origin', 'none'];

/**
 * Browsers say where a request comes from: in `Sec-Fetch-Site`, older ones in `Origin`. A request without both is from a
 * program and is admitted.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  constructor(@Inject(ssoConfig.KEY) private readonly settings: SsoSettings) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    const { origin } = request.headers;
    const site = request.headers['sec-fetch-site'];
    const isTrusted =
      site === undefined ? this.isTrustedOrigin(origin) : TRUSTED_SITES.includes(site);
    if (isTrusted) return true;
    throw new AdmissionError('CALLER_NOT_ALLOWED', 403, 'the form was sent by another site');
  }

  /** Our pages send no referrer, for which browsers write `null`. Over plain http they send no `Sec-Fetch-Site` either. */
  private isTrustedOrigin(origin: string | undefined): boolean {
    const own = new URL(this.settings.baseUrl);
    if (origin === 'null') return own.protocol === 'http:';
    return origin === undefined || origin === own.origin;
  }
}
