// The route /login/sessions: ends other sessions of the user.
import { All, Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { readForm, RequestError } from '@tessera/server';
import { RequestSettings } from '../request-settings.js';
import { BrowserSession } from './browser-session.js';
import { redirect } from './login-answers.js';
import { PageErrorsFilter } from './page-errors.filter.js';
import { Pages } from './pages.js';
import { SameOriginGuard } from './same-origin.guard.js';

@Controller('login/sessions')
@UseFilters(PageErrorsFilter)
export class SessionsController {
  constructor(
    private readonly sessions: BrowserSession,
    private readonly pages: Pages,
    private readonly settings: RequestSettings,
  ) {}

  /** Asks whether to end all others. Without any, the page of the session is shown. */
  @Get()
  async confirm(@Req() request: Request, @Res() response: Response): Promise<void> {
    const session = await this.sessions.of(request);
    const others = session === undefined ? [] : await this.sessions.othersOf(session);
    if (others.length === 0) return this.showSession(request, response);
    return this.pages.send(request, response, { status: 200, view: 'end-sessions', model: {} });
  }

  /** Ends the session that the field `session` names, or all others without it. Then the page of the session is shown. */
  @Post()
  @UseGuards(SameOriginGuard)
  async end(@Req() request: Request, @Res() response: Response): Promise<void> {
    const ended = (await readForm(request)).one('session');
    const session = await this.sessions.of(request);
    if (session) await this.sessions.endOthers(session, ended);
    this.showSession(request, response);
  }

  @All()
  other(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, HEAD, POST');
  }

  private showSession(request: Request, response: Response): void {
    redirect(response, `${this.settings.of(request).contextPath}/login`);
  }
}
