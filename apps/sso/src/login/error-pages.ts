// The pages for errors: each says what to do next, and has the reference by which the log knows the request.
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { loggerFor } from '@tessera/logging';
import {
  type Answer,
  type ErrorPages,
  type ErrorResponse,
  queryText,
  routeOf,
  text,
} from '@tessera/server';
import { Pages, type ShownApplication } from './pages.js';

const log = loggerFor('login');

const OWN_ROUTE =
  /\/(?:login|login\/sessions|logout|oidc\/session\/end|oidc\/session\/end\/confirm)$/;

@Injectable()
export class LoginErrorPages implements ErrorPages {
  constructor(private readonly pages: Pages) {}

  include(request: Request): boolean {
    return OWN_ROUTE.test(routeOf(request) ?? '');
  }

  /** Does not fail: where the templates themselves are faulty, it is plain text. */
  async answerTo(error: ErrorResponse, request: Request): Promise<Answer> {
    const { status, message, headers } = error;
    const key = keyOf(status);
    const isMalformed = key === 'error.request';
    if (isMalformed || key === 'error.otherSite') {
      log.info({ status, reason: message }, 'the login pages refused a request');
    }
    const isTemporary = key === 'error.throttled' || key === 'error.server';
    const next = isTemporary
      ? { href: request.originalUrl, key: 'error.again' }
      : { href: this.pages.loginPage, key: 'error.signIn' };
    try {
      return await this.pages.renderMessage(request, {
        status,
        key,
        headers,
        application: applicationIn(request),
        detail: isMalformed ? message : undefined,
        seconds: headers?.['Retry-After'],
        next,
      });
    } catch {
      return text(status, message, headers);
    }
  }
}

function keyOf(status: number): string {
  switch (status) {
    case 403:
      return 'error.otherSite';
    case 404:
      return 'error.notFound';
    case 423:
    case 429:
      return 'error.throttled';
    default:
      return status < 500 ? 'error.request' : 'error.server';
  }
}

/** Only its host: nobody has checked the service that the address names. */
function applicationIn(request: Request): ShownApplication | undefined {
  const query = new URLSearchParams(queryText(request));
  const host = URL.parse(query.get('service') ?? query.get('TARGET') ?? '')?.host;
  return host ? { name: host } : undefined;
}
