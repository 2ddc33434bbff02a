// The route /login/sessions: ends other sessions of the user.
import { All, Controller, Inject, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { readForm, RequestError } from '@tessera/server';
import { TicketGranting } from '@tessera/tickets';
import { RequestSettings } from '../request-settings.js';
import { redirect } from './login-answers.js';
import { PageErrorsFilter } from './page-errors.filter.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { SessionCookie } from './session-cookie.js';

@Controller('login/sessions')
@UseFilters(PageErrorsFilter)
export class SessionsController {
  constructor(
    @Inject(SessionCookie) private readonly cookie: SessionCookie,
    @Inject(TicketGranting) private readonly ticketGranting: TicketGranting,
    @Inject(RequestSettings) private readonly settings: RequestSettings,
  ) {}

  /** Ends the session that the field `session` names, or all others without it. Then the page of the session is shown. */
  @Post()
  @UseGuards(SameOriginGuard)
  async end(@Req() request: Request, @Res() response: Response): Promise<void> {
    const session = (await readForm(request)).one('session');
    const content = await this.cookie.read(request);
    if (content) await this.ticketGranting.endOtherSessions(content.tgt, session);
    redirect(response, `${this.settings.of(request).contextPath}/login`);
  }

  @All()
  other(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'POST');
  }
}
