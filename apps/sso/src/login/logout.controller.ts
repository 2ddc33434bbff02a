// The route /logout. @see CAS 3.0 §2.3
import { All, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Form, queryText, readForm, declaresForm, RequestError } from '@tessera/server';
import { frontChannelCalls } from '../logout/front-channel.js';
import { MAX_SERVICE_LENGTH } from '../protocol-parameters.js';
import { BrowserSession, type Session } from './browser-session.js';
import { redirect } from './login-answers.js';
import { LoginFlow } from './login-flow.js';
import { PageErrorsFilter } from './page-errors.filter.js';
import { originOf, Pages } from './pages.js';
import { toAscii } from './redirect-url.js';
import { SessionCookie } from './session-cookie.js';

@Controller('logout')
@UseFilters(PageErrorsFilter)
export class LogoutController {
  constructor(
    private readonly cookie: SessionCookie,
    private readonly sessions: BrowserSession,
    private readonly flow: LoginFlow,
    private readonly pages: Pages,
  ) {}

  @Get()
  show(@Req() request: Request, @Res() response: Response): Promise<void> {
    // HEAD must change nothing.
    if (request.method === 'HEAD') throw notAllowed();
    return this.logOut(request, response, Form.parse(queryText(request)));
  }

  @Post()
  async submit(@Req() request: Request, @Res() response: Response): Promise<void> {
    const query = Form.parse(queryText(request));
    const form = declaresForm(request) ? await readForm(request) : query;
    const parameters = form.has('service') ? form : query;
    if (this.isWithoutCookie(request)) return this.goOnByGet(request, response, parameters);
    return this.logOut(request, response, parameters);
  }

  @All()
  other(): never {
    throw notAllowed();
  }

  /** Follows a service only where it is registered and enabled. */
  private async logOut(request: Request, response: Response, parameters: Form): Promise<void> {
    const given = parameters.line('service', MAX_SERVICE_LENGTH);
    const next = given && this.flow.registrationOf(given) ? toAscii(given) : undefined;
    const frames: string[] = [];
    for (const session of await this.sessions.allOf(request)) {
      frames.push(...(await this.endSession(session)));
    }
    // Not without one: the browser may have kept it back, and its session lives on.
    if (this.cookie.isIn(request)) this.cookie.clear(request, response);
    if (next !== undefined && frames.length === 0) return redirect(response, next);
    const model = { next, frames };
    return this.pages.send(request, response, { status: 200, view: 'signed-out', model, frames });
  }

  /** Browsers send a cookie with `SameSite=Lax` along with a link of another site, but not with its form. */
  private isWithoutCookie(request: Request): boolean {
    return request.headers['sec-fetch-site'] === 'cross-site' && !this.cookie.isIn(request);
  }

  /** The browser calls again, with its cookie. */
  private goOnByGet(request: Request, response: Response, parameters: Form): void {
    const service = parameters.line('service', MAX_SERVICE_LENGTH);
    const query = service ? `?${new URLSearchParams({ service }).toString()}` : '';
    redirect(response, `${request.path}${query}`);
  }

  /** @returns the calls of the front channel that the browser is to make */
  private async endSession(session: Session): Promise<readonly string[]> {
    const services = await this.sessions.end(session);
    const principal = session.authentication.principal.id;
    const calls = frontChannelCalls({ principal, services }, (service) =>
      this.flow.registrationOf(service),
    );
    return calls.filter((url) => originOf(url) !== undefined);
  }
}

function notAllowed(): RequestError {
  return new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, POST');
}
