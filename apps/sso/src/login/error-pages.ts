// The pages for errors: each says what to do next, and has the reference by which the log knows the request.
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { loggerFor } from '@tessera/logging';
import { type ErrorPages, type ErrorResponse, queryText, send, text } from '@tessera/server';
import { Pages, type ShownApplication } from './pages.js';

const log = loggerFor('login');

@Injectable()
export class LoginErrorPages implements ErrorPages {
  constructor(private readonly pages: Pages) {}

  /** Does not fail: where the templates themselves are faulty, it sends plain text. */
  async send(error: ErrorResponse, request: Request, response: Response): Promise<void> {
    const { status, message, headers } = error;
    const key = keyOf(status);
    const isMalformed = key === 'error.request';
    if (isMalformed || key === 'error.otherSite') {
      log.info({ status, reason: message }, 'the login pages refused a request');
    }
    const isTemporary = key === 'error.throttled' || key === 'error.server';
    const next = isTemporary
      ? { href: request.originalUrl, key: 'error.again' }
      : { href: this.pages.loginPage(request), key: 'error.signIn' };
    try {
      await this.pages.sendMessage(request, response, {
        status,
        key,
        headers,
        application: applicationIn(request),
        detail: isMalformed ? message : undefined,
        seconds: headers?.['Retry-After'],
        next,
      });
    } catch {
      send(response, text(status, message, headers));
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
