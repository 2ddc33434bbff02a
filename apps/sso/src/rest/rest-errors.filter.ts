// Owns how the REST ticket interface words what it refuses.
import type { ServerResponse } from 'node:http';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { send, text, type Answer } from '@tessera/server';
import { TicketError } from '@tessera/tickets';

/** Answers ticket errors; everything else goes on to the server's own filter. @see docs/errors.md */
@Catch(TicketError)
export class RestErrorsFilter implements ExceptionFilter<TicketError> {
  catch(error: TicketError, host: ArgumentsHost): void {
    send(host.switchToHttp().getResponse<ServerResponse>(), toRestAnswer(error));
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
