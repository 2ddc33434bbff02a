// Maps errors to validation failures; the contract fixes their texts. @see docs/errors.md
import { RequestError } from '@tessera/server';
import { ServiceMismatchError, TicketError } from '@tessera/tickets';
import { ProxyError } from '../proxy/errors.js';
import type { ValidationFailure } from './renderers.js';
import type { ValidationParameters } from './validation-request.js';

/** An error that the caller did not cause is INTERNAL_ERROR without details. */
export function toFailure(
  error: unknown,
  parameters: ValidationParameters | undefined,
): ValidationFailure {
  if (error instanceof RequestError) return { code: 'INVALID_REQUEST', description: error.message };
  if (error instanceof ProxyError) return { code: error.code, description: error.message };
  if (error instanceof ServiceMismatchError && parameters) {
    return {
      code: 'INVALID_SERVICE',
      description:
        `Ticket '${parameters.ticket}' does not match supplied service. The original service was ` +
        `'${error.originalService}' and the supplied service was '${parameters.service}'.`,
    };
  }
  if (error instanceof TicketError && parameters) return ticketFailure(error, parameters);
  return { code: 'INTERNAL_ERROR', description: 'The service is temporarily unavailable' };
}

function ticketFailure(
  error: TicketError,
  { ticket, service }: ValidationParameters,
): ValidationFailure {
  switch (error.code) {
    case 'UNAUTHORIZED_SERVICE':
    case 'SERVICE_NOT_AUTHORIZED':
      return {
        code: 'UNAUTHORIZED_SERVICE',
        description: `Service '${service}' is not authorized to use this server`,
      };
    case 'INVALID_TICKET':
    // A ServiceMismatchError has its own answer above; the other codes are those of grants.
    case 'INVALID_SERVICE':
    case 'GRANTING_TICKET_NOT_FOUND':
    case 'NEW_LOGIN_REQUIRED':
      return { code: 'INVALID_TICKET', description: `Ticket '${ticket}' not recognized` };
  }
}
