// Turns errors into the failures of /proxy.
import type { IncomingMessage } from 'node:http';
import { Catch } from '@nestjs/common';
import { isUnavailable } from '@tessera/database';
import { loggerFor } from '@tessera/logging';
import { type Answer, AnswerFilter, Form, queryText, RequestError } from '@tessera/server';
import { TicketError } from '@tessera/tickets';
import { proxyFailure } from './proxy-answers.js';

const logger = loggerFor('proxy');

/** @see CAS 3.0 §2.7.3 */
@Catch()
export class ProxyErrorsFilter extends AnswerFilter {
  answerTo(error: unknown, request: IncomingMessage): Answer {
    if (error instanceof RequestError) return proxyFailure('INVALID_REQUEST', error.message);
    if (error instanceof TicketError) return ticketFailure(error, request);
    logger[isUnavailable(error) ? 'warn' : 'error']({ error }, '/proxy answered 503');
    return proxyFailure('INTERNAL_ERROR', 'The service is temporarily unavailable', 503);
  }
}

/** The text does not contain the PGT, which may be that of another session. */
function ticketFailure({ code }: TicketError, request: IncomingMessage): Answer {
  if (code !== 'SERVICE_NOT_AUTHORIZED') {
    return proxyFailure('INVALID_TICKET', 'The proxy-granting ticket is not recognized');
  }
  const target = Form.parse(queryText(request)).one('targetService');
  const description = `Service '${target}' is not authorized to use this server`;
  return proxyFailure('UNAUTHORIZED_SERVICE', description);
}
