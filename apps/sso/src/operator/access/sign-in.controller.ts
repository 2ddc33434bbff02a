// The routes /sign-in and /sign-out: operators sign in through the login page, as to any other application.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { LiveSettings } from '@tessera/config';
import { equalsInConstantTime, randomId } from '@tessera/crypto';
import { currentClientAddress, loggerFor } from '@tessera/logging';
import { Form, isFromBrowser, queryText, RequestError, send, text } from '@tessera/server';
import { ServiceTickets, TicketError } from '@tessera/tickets';
import { SIGN_IN_STATE_LENGTH } from '../../console-service.js';
import { addressAtOwnHost, managementUrl } from '../../settings/operator-settings.js';
import type { SsoSettings } from '../../settings.js';
import { consoleMessage } from '../problem.js';
import { OperatorSession } from './operator-session.js';
import { refuseOtherSites } from './operator.guard.js';

const log = loggerFor('operator');

@Controller()
export class SignInController {
  constructor(
    @Inject(LiveSettings) private readonly live: Pick<LiveSettings<SsoSettings>, 'current'>,
    private readonly cookies: OperatorSession,
    private readonly tickets: ServiceTickets,
  ) {}

  /** Without a ticket goes to the login page, which comes back with one. */
  @Get('sign-in')
  async signIn(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const query = Form.parse(queryText(request));
    const ticket = query.one('ticket');
    if (ticket === undefined) this.goToLogin(request, response);
    else await this.finish({ ticket, state: query.one('state') ?? '' }, request, response);
  }

  /** Answers a logout message. There is nothing to end here, because each request checks that its session still exists. */
  @Post('sign-in')
  receiveLogoutMessage(@Res() response: ServerResponse): void {
    send(response, text(200, ''));
  }

  /** Ends the access of this browser, and goes to the logout page, which ends the session. */
  @Post('sign-out')
  signOut(@Req() request: IncomingMessage, @Res() response: ServerResponse): void {
    const settings = this.live.current;
    refuseOtherSites(request, managementUrl(settings));
    this.cookies.clear(response, 'session');
    redirect(response, `${settings.baseUrl}/logout`);
  }

  @All('sign-in')
  otherSignIn(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET, HEAD, POST');
  }

  @All('sign-out')
  otherSignOut(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'POST');
  }

  private goToLogin(request: IncomingMessage, response: ServerResponse): void {
    const elsewhere = addressAtOwnHost(request, this.live.current);
    if (elsewhere !== undefined) return redirect(response, elsewhere);
    const state = randomId(SIGN_IN_STATE_LENGTH);
    this.cookies.write(response, 'state', state);
    const service = encodeURIComponent(this.serviceOf(state));
    redirect(response, `${this.live.current.baseUrl}/login?service=${service}`);
  }

  /** The state shows that this browser began, so that nobody can be signed in without noticing it (login CSRF). */
  private async finish(
    { ticket, state }: { readonly ticket: string; readonly state: string },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const begun = this.cookies.read(request, 'state');
    this.cookies.clear(response, 'state');
    const session =
      begun !== undefined && equalsInConstantTime(begun, state)
        ? await this.sessionOf(ticket, this.serviceOf(state))
        : undefined;
    if (session === undefined || !(await this.cookies.start(response, session))) {
      return this.refuse(request, response);
    }
    redirect(response, '/console/');
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    const message = 'The login could not be finished. Begin again at /sign-in.';
    log.warn({ clientAddress: currentClientAddress() }, 'a login at the console was not finished');
    if (!isFromBrowser(request)) return send(response, text(403, message));
    const baseUrl = managementUrl(this.live.current);
    const paragraphs = ['It took too long, or it was begun in another window.'];
    const page = { status: 403, title: 'The login could not be finished', paragraphs };
    send(response, consoleMessage(baseUrl, page, ['/sign-in', 'Sign in again']));
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
    return `${managementUrl(this.live.current)}/sign-in?state=${state}`;
  }
}

function redirect(response: ServerResponse, location: string): void {
  send(response, text(303, '', { Location: location, 'Referrer-Policy': 'no-referrer' }));
}
