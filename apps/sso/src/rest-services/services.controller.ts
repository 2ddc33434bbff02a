// The route /v1/services/add, which registers a service.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Inject, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ClientAddresses, RateLimit, RequestError, send, text } from '@tessera/server';
import { TicketGranting } from '@tessera/tickets';
import { RestErrorsFilter } from '../rest-errors.filter.js';
import { parseDefinition, readRegistration } from './registration-form.js';
import { ServiceRegistration } from './service-registration.js';

/** @see docs/protocol.md, "Service registration" */
@Controller('v1/services/add')
@UseFilters(RestErrorsFilter)
export class ServicesController {
  constructor(
    @Inject(TicketGranting) private readonly ticketGranting: TicketGranting,
    @Inject(ServiceRegistration) private readonly registration: ServiceRegistration,
    @Inject(ClientAddresses) private readonly addresses: ClientAddresses,
  ) {}

  /** Checks the role before the form, so that other callers get no validation messages. */
  @Post(':tgt')
  @RateLimit('register')
  async add(
    @Param('tgt') tgt: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const parameters = await readRegistration(request);
    const { principal } = await this.ticketGranting.require(tgt);
    const registrar = { principal, session: tgt, clientAddress: this.addresses.of(request) };
    if (!this.registration.admits(registrar)) {
      return send(response, text(403, 'Request is not authorized'));
    }
    const id = await this.registration.register(parseDefinition(parameters), registrar);
    send(response, text(200, id));
  }

  @All(':tgt')
  other(): never {
    throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'POST');
  }
}
