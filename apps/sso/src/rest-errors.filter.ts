// Turns ticket errors and throttled logins into answers of the REST interface.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { send, text, type Answer } from '@tessera/server';
import { ThrottledError } from '@tessera/throttling';
import { TicketError } from '@tessera/tickets';
import { statusOf } from './dialect.js';
import { RequestSettings } from './request-settings.js';

/** Every other error is handled by the global filter. @see docs/errors.md */
@Catch(TicketError, ThrottledError)
export class RestErrorsFilter implements ExceptionFilter<TicketError | ThrottledError> {
  constructor(@Inject(RequestSettings) private readonly settings: RequestSettings) {}

  catch(error: TicketError | ThrottledError, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const answer =
      error instanceof ThrottledError
        ? this.throttledAnswer(error, http.getRequest<IncomingMessage>())
        : toRestAnswer(error);
    send(http.getResponse<ServerResponse>(), answer);
  }

  private throttledAnswer(
    { message, retryAfter }: ThrottledError,
    request: IncomingMessage,
  ): Answer {
    const status = statusOf('throttled', this.settings.of(request).dialect);
    return text(status, message, { 'Retry-After': String(retryAfter) });
  }
}

function toRestAnswer(error: TicketError): Answer {
  switch (error.code) {
    case 'GRANTING_TICKET_NOT_FOUND':
      return text(404, error.message);
    case 'SERVICE_NOT_AUTHORIZED':
    case 'NEW_LOGIN_REQUIRED':
      return text(403, error.message);
    case 'INVALID_TICKET':
    case 'INVALID_SERVICE':
    case 'UNAUTHORIZED_SERVICE':
      return text(400, error.message);
  }
}
