// The routes /v1/tickets: log in, get service tickets, query a ticket, log out.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  All,
  Controller,
  Delete,
  Get,
  HttpStatus,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
} from '@nestjs/common';
import { RateLimit, RequestError, send, text } from '@tessera/server';
import { ServiceTickets, TicketGranting } from '@tessera/tickets';
import { statusOf } from '../dialect.js';
import { RequestSettings } from '../request-settings.js';
import { createdAnswer } from './created-page.js';
import { RestErrorsFilter } from '../rest-errors.filter.js';
import { RestLogin } from './rest-login.js';

/** Existing clients compare it byte for byte. It is the same for every refused login. */
const REFUSED = '{"authentication_exceptions" : [ "FailedLoginException" ]}';
const TICKET_ALPHABET = /^[A-Za-z0-9-]{1,256}$/;

/** @see docs/protocol.md, "REST tickets" */
@Controller('v1/tickets')
@UseFilters(RestErrorsFilter)
export class TicketsController {
  constructor(
    private readonly restLogin: RestLogin,
    private readonly ticketGranting: TicketGranting,
    private readonly serviceTickets: ServiceTickets,
    private readonly settings: RequestSettings,
  ) {}

  /** Log in. */
  @Post()
  @RateLimit('login')
  async create(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const authentication = await this.restLogin.authenticate(request);
    if (authentication === undefined) return this.refuse(request, response);
    const { text: tgt } = await this.ticketGranting.issue(authentication);
    const location = `${this.settings.of(request).baseUrl}/v1/tickets/${tgt}`;
    send(response, createdAnswer(location, tgt, request.headers.accept));
  }

  /** Get a service ticket. */
  @Post(':tgt')
  async grant(
    @Param('tgt') tgt: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const ticketRequest = await this.restLogin.readServiceTicketRequest(tgt, request);
    if (ticketRequest === undefined) return this.refuse(request, response);
    const { service, withCredentials } = ticketRequest;
    const ticket = await this.serviceTickets.grant(tgt, service, { withCredentials });
    send(response, text(HttpStatus.OK, ticket.text));
  }

  /** HEAD too: the same answer without its body. */
  @Get(':ticket')
  async status(@Param('ticket') ticket: string, @Res() response: ServerResponse): Promise<void> {
    const live = await this.ticketGranting.isLive(ticket);
    send(response, live ? text(200, ticket) : text(404, 'Ticket could not be found'));
  }

  /** Log out. Idempotent. */
  @Delete(':ticket')
  async destroy(@Param('ticket') ticket: string, @Res() response: ServerResponse): Promise<void> {
    if (!TICKET_ALPHABET.test(ticket)) {
      throw new RequestError('MALFORMED_REQUEST', 'the path does not end in a ticket id');
    }
    await this.ticketGranting.destroy(ticket);
    send(response, text(200, ticket));
  }

  @All()
  otherOnCollection(): never {
    throw notAllowed('POST');
  }

  @All(':ticket')
  otherOnTicket(): never {
    throw notAllowed('GET, HEAD, POST, DELETE');
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    send(response, {
      status: statusOf('badCredentials', this.settings.of(request).dialect),
      type: 'application/json;charset=UTF-8',
      body: REFUSED,
    });
  }
}

function notAllowed(allow: string): RequestError {
  return new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', allow);
}
