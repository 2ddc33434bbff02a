// Refuses forms that another site sends, so that nobody can be logged in without noticing it (login CSRF).
import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AdmissionError } from '@tessera/server';
import { RequestSettings } from '../request-settings.js';

/** @see https://www.w3.org/TR/fetch-metadata/ */
const TRUSTED_SITES: readonly unknown[] = ['same-origin', 'none'];

/**
 * Browsers say where a request comes from: in `Sec-Fetch-Site`, older ones in `Origin`. A request without both is from a
 * program and is admitted.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  constructor(private readonly settings: RequestSettings) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    const { origin } = request.headers;
    const site = request.headers['sec-fetch-site'];
    const isTrusted =
      site === undefined ? this.isTrustedOrigin(request, origin) : TRUSTED_SITES.includes(site);
    if (isTrusted) return true;
    throw new AdmissionError('CALLER_NOT_ALLOWED', 403, 'the form was sent by another site');
  }

  /** Our pages send no referrer, for which browsers write `null`. Over plain http they send no `Sec-Fetch-Site` either. */
  private isTrustedOrigin(request: IncomingMessage, origin: string | undefined): boolean {
    const own = new URL(this.settings.of(request).baseUrl);
    if (origin === 'null') return own.protocol === 'http:';
    return origin === undefined || origin === own.origin;
  }
}
