// The route /proxy: it grants proxy tickets against a proxy-granting ticket. @see CAS 3.0 §2.7
import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Req, Res } from '@nestjs/common';
import { isUnavailable } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import {
  Form,
  queryText,
  RequestError,
  send,
  UNAVAILABLE_HEADERS,
  type Answer,
} from '@tessera/server';
import { ServiceTickets, TicketError } from '@tessera/tickets';
import { MAX_SERVICE_LENGTH, MAX_TICKET_LENGTH } from '../protocol-parameters.js';
import { proxyFailure, proxySuccess } from './proxy-answers.js';

const logger = loggerFor('proxy');
const REQUIRED = 'pgt and targetService parameters are both required';

@Controller('proxy')
export class ProxyController {
  constructor(private readonly serviceTickets: ServiceTickets) {}

  /** HEAD is refused, because it would grant a ticket that nobody reads. */
  @All()
  async grant(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    if (request.method !== 'GET') {
      throw new RequestError('METHOD_NOT_ALLOWED', 'Method not allowed', 'GET');
    }
    send(response, await this.answer(request));
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    let target = '';
    try {
      const form = Form.parse(queryText(request));
      const pgt = form.line('pgt', MAX_TICKET_LENGTH);
      target = form.line('targetService', MAX_SERVICE_LENGTH) ?? '';
      if (!pgt || !target) throw new RequestError('MALFORMED_REQUEST', REQUIRED);
      return proxySuccess((await this.serviceTickets.grantProxy(pgt, target)).text);
    } catch (error) {
      if (error instanceof RequestError) return proxyFailure('INVALID_REQUEST', error.message);
      if (error instanceof TicketError) return ticketFailure(error, target);
      logger[isUnavailable(error) ? 'warn' : 'error']({ error }, '/proxy answered 503');
      const failure = proxyFailure('INTERNAL_ERROR', 'The service is temporarily unavailable');
      return { ...failure, status: 503, headers: UNAVAILABLE_HEADERS };
    }
  }
}

/** The text does not contain the PGT, which may be that of another session. */
function ticketFailure({ code }: TicketError, target: string): Answer {
  return code === 'SERVICE_NOT_AUTHORIZED'
    ? proxyFailure(
        'UNAUTHORIZED_SERVICE',
        `Service '${target}' is not authorized to use this server`,
      )
    : proxyFailure('INVALID_TICKET', 'The proxy-granting ticket is not recognized');
}
