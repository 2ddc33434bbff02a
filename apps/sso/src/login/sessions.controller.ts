// The route /login/sessions: ends other sessions of the user.
import { Inject, Controller, Get, Post, Req, UseFilters, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, BodyForm, Form, redirect } from '@tessera/server';
import { BrowserSession } from './browser-session.js';
import { PageErrorsFilter } from './page-errors.filter.js';
import { Pages } from './pages.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';

@Controller('login/sessions')
@UseFilters(PageErrorsFilter)
export class SessionsController {
  constructor(
    private readonly sessions: BrowserSession,
    private readonly pages: Pages,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /** Asks whether to end all others. Without any, the page of the session is shown. */
  @Get()
  async confirm(@Req() request: Request): Promise<Answer> {
    const session = await this.sessions.of(request);
    const others = session === undefined ? [] : await this.sessions.othersOf(session);
    if (others.length === 0) return this.sessionPage();
    return this.pages.render(request, { status: 200, view: 'end-sessions', model: {} });
  }

  /** Ends the session that the field `session` names, or all others without it. Then the page of the session is shown. */
  @Post()
  @UseGuards(SameOriginGuard)
  async end(@BodyForm() form: Form, @Req() request: Request): Promise<Answer> {
    const ended = form.one('session');
    const session = await this.sessions.of(request);
    if (session) await this.sessions.endOthers(session, ended);
    return this.sessionPage();
  }

  private sessionPage(): Answer {
    return redirect(302, `${this.settings.contextPath}/login`);
  }
}
