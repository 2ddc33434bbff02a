// The route /oidc/consents: the page of the session takes back there what its user has allowed.
import { Controller, Post, Req, UseFilters, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { type Answer, BodyForm, type Form, redirect } from '@tessera/server';
import { BrowserSession } from '../../login/browser-session.js';
import { PageErrorsFilter } from '../../login/page-errors.filter.js';
import { Pages } from '../../login/pages.js';
import { SameOriginGuard } from '../../login/same-origin.guard.js';
import { Consents } from './consents.js';

@Controller('oidc/consents')
@UseFilters(PageErrorsFilter)
export class ConsentsController {
  constructor(
    private readonly sessions: BrowserSession,
    private readonly consents: Consents,
    private readonly pages: Pages,
  ) {}

  /** Takes back what the field `consent` names, and shows the page of the session again. */
  @Post()
  @UseGuards(SameOriginGuard)
  async withdraw(@BodyForm() form: Form, @Req() request: Request): Promise<Answer> {
    const session = await this.sessions.of(request);
    if (session) await this.consents.withdraw(session, form.one('consent') ?? '');
    return redirect(302, this.pages.loginPage);
  }
}
