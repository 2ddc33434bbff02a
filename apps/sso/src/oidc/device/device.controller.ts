// The route /oidc/device: where the user of a device enters the code that it shows. @see RFC 8628, section 3.3
import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sha256 } from '@tessera/crypto';
import { AdmissionError, type Answer, Form, QueryForm, redirect, send } from '@tessera/server';
import { RequestRateStore } from '@tessera/throttling';
import { BrowserSession, type Session } from '../../login/browser-session.js';
import { PageErrorsFilter } from '../../login/page-errors.filter.js';
import { SameOriginGuard } from '../../login/same-origin.guard.js';
import { deviceSignIn } from './device-sign-in.js';
import { formSecretOf } from '../library/form-secret.js';
import { LibraryPages } from '../library/library-pages.js';
import { LibraryRoutes } from '../library/library-routes.js';

const MAX_CODE_LENGTH = 32;
/** Forms of one user in ten minutes: codes are not to be guessed. A sign-in takes two. */
const MAX_FORMS = 30;
const WINDOW_MS = 600_000;

@Controller('oidc/device')
@UseFilters(PageErrorsFilter)
export class DeviceController {
  constructor(
    private readonly sessions: BrowserSession,
    private readonly library: LibraryRoutes,
    private readonly pages: LibraryPages,
    private readonly forms: RequestRateStore,
  ) {}

  /** Asks for the code. A device may show an address that has it already; the user still compares it. */
  @Get()
  async show(@QueryForm() query: Form, @Req() request: Request): Promise<Answer> {
    const userCode = query.line('user_code', MAX_CODE_LENGTH) ?? '';
    const session = await this.sessions.of(request);
    if (session === undefined) return this.askForLogin(302, userCode);
    return this.pages.renderForm(request, { secret: formSecretOf(session.tgt), userCode });
  }

  /** The library answers the form, in the session that the browser has. */
  @Post()
  @UseGuards(SameOriginGuard)
  async submit(@Req() request: Request, @Res() response: Response): Promise<void> {
    const session = await this.sessions.of(request);
    if (session === undefined) return send(response, this.askForLogin(303, ''));
    await this.count(session);
    this.library.pass(request, response);
  }

  /** @throws AdmissionError RATE_LIMITED */
  private async count({ authentication }: Session): Promise<void> {
    const key = sha256(JSON.stringify(['oidc-device', authentication.principal.id]));
    const { timeToBlockExpire: seconds } = await this.forms.increment(
      key,
      WINDOW_MS,
      MAX_FORMS,
      WINDOW_MS,
      '',
    );
    if (seconds === 0) return;
    const headers = { 'Retry-After': String(seconds) };
    throw new AdmissionError('RATE_LIMITED', 429, 'too many codes: try again later', headers);
  }

  private askForLogin(status: number, userCode: string): Answer {
    const query = new URLSearchParams({ interaction: deviceSignIn(userCode) });
    return redirect(status, `${this.pages.loginPage}?${query.toString()}`);
  }
}
