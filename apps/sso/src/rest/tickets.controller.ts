// The routes /v1/tickets: log in, get service tickets, query a ticket, log out.
import type { IncomingMessage } from 'node:http';
import { Inject, Controller, Delete, Get, Param, Post, Req, UseFilters } from '@nestjs/common';
import { type Answer, RateLimit, RequestError, text } from '@tessera/server';
import { ServiceTickets, TicketGranting } from '@tessera/tickets';
import { createdAnswer } from './created-page.js';
import { refusedLogin } from './refused-login.js';
import { RestErrorsFilter } from './rest-errors.filter.js';
import { RestLogin } from './rest-login.js';
import { ssoConfig } from '../settings/namespaces.js';
import type { SsoSettings } from '../settings/sso-settings.js';

const TICKET_ALPHABET = /^[A-Za-z0-9-]{1,256}$/;

/** @see docs/protocol.md, "REST tickets" */
@Controller('v1/tickets')
@UseFilters(RestErrorsFilter)
export class TicketsController {
  constructor(
    private readonly restLogin: RestLogin,
    private readonly ticketGranting: TicketGranting,
    private readonly serviceTickets: ServiceTickets,
    @Inject(ssoConfig.KEY) private readonly settings: SsoSettings,
  ) {}

  /** Log in. */
  @Post()
  @RateLimit('login')
  async create(@Req() request: IncomingMessage): Promise<Answer> {
    const authentication = await this.restLogin.authenticate(request);
    if (authentication === undefined) return refusedLogin(this.settings.dialect);
    const { text: tgt } = await this.ticketGranting.issue(authentication);
    const location = `${this.settings.baseUrl}/v1/tickets/${tgt}`;
    return createdAnswer(location, tgt, request.headers.accept);
  }

  /** Get a service ticket. */
  @Post(':tgt')
  async grant(@Param('tgt') tgt: string, @Req() request: IncomingMessage): Promise<Answer> {
    const ticketRequest = await this.restLogin.readServiceTicketRequest(tgt, request);
    if (ticketRequest === undefined) return refusedLogin(this.settings.dialect);
    const { service, withCredentials } = ticketRequest;
    const ticket = await this.serviceTickets.grant(tgt, service, { withCredentials });
    return text(200, ticket.text);
  }

  /** HEAD too: the same answer without its body. */
  @Get(':ticket')
  async status(@Param('ticket') ticket: string): Promise<Answer> {
    const live = await this.ticketGranting.isLive(ticket);
    return live ? text(200, ticket) : text(404, 'Ticket could not be found');
  }

  /** Log out. Idempotent. */
  @Delete(':ticket')
  async destroy(@Param('ticket') ticket: string): Promise<Answer> {
    if (!TICKET_ALPHABET.test(ticket)) {
      throw new RequestError('MALFORMED_REQUEST', 'the path does not end in a ticket id');
    }
    await this.ticketGranting.destroy(ticket);
    return text(200, ticket);
  }
}
