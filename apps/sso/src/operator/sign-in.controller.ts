// The routes /sign-in and /sign-out: operators sign in through the login page, as to any other application.
import { Controller, Get, Inject, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { equalsInConstantTime, randomId } from '@tessera/crypto';
import { currentClientAddress, loggerFor } from '@tessera/logging';
import {
  type Answer,
  Form,
  isFromBrowser,
  QueryForm,
  redirect,
  text,
  managementPath,
} from '@tessera/server';
import { ServiceTickets, TicketError } from '@tessera/tickets';
import { SIGN_IN_STATE_LENGTH } from '../storage/console-service.js';
import { addressAtOwnHost, managementUrl } from '../settings/operator-settings.js';
import type { SsoSettings } from '../settings/sso-settings.js';
import { consoleMessage } from './problem.js';
import { OperatorSession } from './access/operator-session.js';
import { refuseOtherSites } from './operator.guard.js';
import { ssoConfig } from '../settings/namespaces.js';

const log = loggerFor('operator');

@Controller(managementPath(''))
export class SignInController {
  constructor(
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
    private readonly cookies: OperatorSession,
    private readonly tickets: ServiceTickets,
  ) {}

  /** Without a ticket goes to the login page, which comes back with one. */
  @Get('sign-in')
  async signIn(@QueryForm() query: Form, @Req() request: Request): Promise<Answer> {
    const ticket = query.one('ticket');
    if (ticket === undefined) return this.goToLogin(request);
    const answer = await this.finish({ ticket, state: query.one('state') ?? '' }, request);
    return answer.withCookie(this.cookies.cleared('state'));
  }

  /** Answers a logout message. There is nothing to end here, because each request checks that its session still exists. */
  @Post('sign-in')
  receiveLogoutMessage(): Answer {
    return text(200, '');
  }

  /** Ends the access of this browser, and goes to the logout page, which ends the session. */
  @Post('sign-out')
  signOut(@Req() request: Request): Answer {
    const settings = this.settings;
    refuseOtherSites(request, managementUrl(settings));
    return redirect(303, `${settings.baseUrl}/logout`).withCookie(this.cookies.cleared('session'));
  }

  private goToLogin(request: Request): Answer {
    const elsewhere = addressAtOwnHost(request, this.settings);
    if (elsewhere !== undefined) return redirect(303, elsewhere);
    const state = randomId(SIGN_IN_STATE_LENGTH);
    const service = encodeURIComponent(this.serviceOf(state));
    const login = redirect(303, `${this.settings.baseUrl}/login?service=${service}`);
    return login.withCookie(this.cookies.cookie('state', state));
  }

  /** The state shows that this browser began, so that nobody can be signed in without noticing it (login CSRF). */
  private async finish(
    { ticket, state }: { readonly ticket: string; readonly state: string },
    request: Request,
  ): Promise<Answer> {
    const begun = this.cookies.read(request, 'state');
    const session =
      begun !== undefined && equalsInConstantTime(begun, state)
        ? await this.sessionOf(ticket, this.serviceOf(state))
        : undefined;
    const cookie = session && (await this.cookies.start(session));
    return cookie ? redirect(303, '/console/').withCookie(cookie) : this.refusal(request);
  }

  private refusal(request: Request): Answer {
    const message = 'The login could not be finished. Begin again at /sign-in.';
    log.warn({ clientAddress: currentClientAddress() }, 'a login at the console was not finished');
    if (!isFromBrowser(request)) return text(403, message);
    const baseUrl = managementUrl(this.settings);
    const paragraphs = ['It took too long, or it was begun in another window.'];
    const page = { status: 403, title: 'The login could not be finished', paragraphs };
    return consoleMessage(baseUrl, page, ['/sign-in', 'Sign in again']);
  }

  /** The handle of the session; undefined for a ticket that is refused. */
  private async sessionOf(ticket: string, service: string): Promise<string | undefined> {
    try {
      const request = { ticket, service, renew: false, acceptsProxyTickets: false };
      return (await this.tickets.validate(request)).grantedBy;
    } catch (error) {
      if (error instanceof TicketError) return undefined;
      throw error;
    }
  }

  private serviceOf(state: string): string {
    return `${managementUrl(this.settings)}/sign-in?state=${state}`;
  }
}
