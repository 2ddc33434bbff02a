// The route /logout. @see CAS 3.0 §2.3
import { All, Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
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
    @Inject(SessionCookie) private readonly cookie: SessionCookie,
    @Inject(BrowserSession) private readonly sessions: BrowserSession,
    @Inject(LoginFlow) private readonly flow: LoginFlow,
    @Inject(Pages) private readonly pages: Pages,
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
    await this.logOut(request, response, form.has('service') ? form : query);
  }

  @All()
  other(): never {
    throw notAllowed();
  }

  /** Follows a service only where it is registered and enabled. */
  private async logOut(request: Request, response: Response, parameters: Form): Promise<void> {
    const given = parameters.line('service', MAX_SERVICE_LENGTH);
    const next = given && this.flow.registrationOf(given) ? toAscii(given) : undefined;
    const frames = await this.endSession(await this.sessions.of(request));
    this.cookie.clear(request, response);
    if (next !== undefined && frames.length === 0) return redirect(response, next);
    const model = { next, frames };
    return this.pages.send(request, response, { status: 200, view: 'signed-out', model, frames });
  }

  /** @returns the calls of the front channel that the browser is to make */
  private async endSession(session: Session | undefined): Promise<readonly string[]> {
    if (session === undefined) return [];
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
