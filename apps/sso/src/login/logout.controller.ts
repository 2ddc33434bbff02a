// The route /logout. @see CAS 3.0 §2.3
import { Controller, Get, Head, NotFoundException, Post, Req, UseFilters } from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, declaresForm, Form, QueryForm, readForm, redirect } from '@tessera/server';
import { MAX_SERVICE_LENGTH } from '../protocol/protocol-parameters.js';
import { BrowserLogout } from './browser-logout.js';
import { BrowserSession } from './browser-session.js';
import { PageErrorsFilter } from './page-errors.filter.js';
import { toAscii } from '../protocol/redirect-url.js';
import { ServiceContinuation } from './service-continuation.js';
import { SessionCookie } from './session-cookie.js';

@Controller('logout')
@UseFilters(PageErrorsFilter)
export class LogoutController {
  constructor(
    private readonly cookie: SessionCookie,
    private readonly sessions: BrowserSession,
    private readonly services: ServiceContinuation,
    private readonly logout: BrowserLogout,
  ) {}

  /** HEAD must change nothing. */
  @Head()
  refuseHead(): never {
    throw new NotFoundException();
  }

  @Get()
  show(@QueryForm() query: Form, @Req() request: Request): Promise<Answer> {
    return this.logOut(request, query);
  }

  @Post()
  async submit(@QueryForm() query: Form, @Req() request: Request): Promise<Answer> {
    const form = declaresForm(request) ? await readForm(request) : query;
    const parameters = form.has('service') ? form : query;
    if (this.isWithoutCookie(request)) return goOnByGet(request, parameters);
    return this.logOut(request, parameters);
  }

  /** Follows a service only where it is registered and enabled. */
  private async logOut(request: Request, parameters: Form): Promise<Answer> {
    const given = parameters.line('service', MAX_SERVICE_LENGTH);
    const next = given && this.services.registrationOf(given) ? toAscii(given) : undefined;
    return this.logout.end(request, await this.sessions.allOf(request), next);
  }

  /** Browsers send a cookie with `SameSite=Lax` along with a link of another site, but not with its form. */
  private isWithoutCookie(request: Request): boolean {
    return request.headers['sec-fetch-site'] === 'cross-site' && !this.cookie.isIn(request);
  }
}

/** The browser calls again, with its cookie. */
function goOnByGet(request: Request, parameters: Form): Answer {
  const service = parameters.line('service', MAX_SERVICE_LENGTH);
  const query = service ? `?${new URLSearchParams({ service }).toString()}` : '';
  return redirect(302, `${request.path}${query}`);
}
