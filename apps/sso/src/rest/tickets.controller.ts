// Owns /v1/tickets: log in, get service tickets, ask after a ticket, log out.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  All,
  Controller,
  Delete,
  Get,
  Head,
  HttpStatus,
  Inject,
  Param,
  Post,
  Req,
  Res,
  UseFilters,
} from '@nestjs/common';
import { loggerFor } from '@tessera/logging';
import { RequestError, send, text } from '@tessera/server';
import { ServiceTickets, TicketGranting, type Authentication } from '@tessera/tickets';
import { Authenticator } from '../authentication/authenticator.js';
import type { UsernamePasswordCredential } from '../authentication/authentication-handler.js';
import { statusOf } from '../dialect.js';
import { SsoSettings } from '../settings.js';
import { createdAnswer } from './created-page.js';
import { RestErrorsFilter } from './rest-errors.filter.js';
import { readCredential, readServiceTicketForm } from './ticket-requests.js';

/** Byte for byte what existing clients compare with; one answer whoever or whatever was refused. */
const REFUSED = '{"authentication_exceptions" : [ "FailedLoginException" ]}';
const TICKET_ALPHABET = /^[A-Za-z0-9-]{1,256}$/;

const logger = loggerFor('authentication');

/** @see docs/protocol.md, "REST tickets" */
@Controller('v1/tickets')
@UseFilters(RestErrorsFilter)
export class TicketsController {
  constructor(
    @Inject(Authenticator) private readonly authenticator: Authenticator,
    @Inject(TicketGranting) private readonly ticketGranting: TicketGranting,
    @Inject(ServiceTickets) private readonly serviceTickets: ServiceTickets,
    @Inject(SsoSettings) private readonly settings: SsoSettings,
  ) {}

  /** Log in. */
  @Post()
  async create(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const credential = await readCredential(request);
    const authentication = await this.authenticate(credential, request);
    if (authentication === undefined) return this.refuse(response);
    const { text: tgt } = await this.ticketGranting.issue(authentication);
    const location = `${this.settings.baseUrl}/v1/tickets/${tgt}`;
    send(response, createdAnswer(location, tgt, request.headers.accept));
  }

  /** Get a service ticket. With `renew`, the credentials that come along must be those of the session's own user. */
  @Post(':tgt')
  async grant(
    @Param('tgt') tgt: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const { service, credential } = await readServiceTicketForm(request);
    if (credential !== undefined && !(await this.isOwner(tgt, credential, request))) {
      return this.refuse(response);
    }
    const withCredentials = credential !== undefined;
    const ticket = await this.serviceTickets.grant(tgt, service, { withCredentials });
    send(response, text(HttpStatus.OK, ticket.text));
  }

  /** 405 also for HEAD, which Express would otherwise hand to GET. */
  @Head([':ticket'])
  head(): never {
    throw notAllowed('GET, POST, DELETE');
  }

  @Get(':ticket')
  async status(@Param('ticket') ticket: string, @Res() response: ServerResponse): Promise<void> {
    const live = await this.ticketGranting.isLive(ticket);
    send(response, live ? text(200, ticket) : text(404, 'Ticket could not be found'));
  }

  /** Log out. Idempotent: the caller ends up without the ticket either way. */
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
    throw notAllowed('GET, POST, DELETE');
  }

  private async isOwner(
    tgt: string,
    credential: UsernamePasswordCredential,
    request: IncomingMessage,
  ): Promise<boolean> {
    const session = await this.ticketGranting.require(tgt);
    const renewed = await this.authenticate(credential, request);
    if (renewed === undefined || renewed.principal.id === session.principal.id) {
      return renewed !== undefined;
    }
    logger.warn(
      { session: session.principal.id },
      'renew with the credentials of another user refused',
    );
    return false;
  }

  private authenticate(
    credential: UsernamePasswordCredential,
    request: IncomingMessage,
  ): Promise<Authentication | undefined> {
    const clientAddress = request.socket.remoteAddress ?? 'unknown';
    return this.authenticator.authenticate(credential, { clientAddress });
  }

  private refuse(response: ServerResponse): void {
    send(response, {
      status: statusOf('badCredentials', this.settings.dialect),
      type: 'application/json;charset=UTF-8',
      body: REFUSED,
    });
  }
}

function notAllowed(allow: string): RequestError {
  return new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', allow);
}
