// The errors of ticket operations.
import { CodedError } from '@tessera/runtime';

/** Stable codes; docs/errors.md lists them. */
export type TicketErrorCode =
  | 'GRANTING_TICKET_NOT_FOUND'
  | 'SERVICE_NOT_AUTHORIZED'
  | 'NEW_LOGIN_REQUIRED'
  | 'INVALID_TICKET'
  | 'INVALID_SERVICE'
  | 'UNAUTHORIZED_SERVICE';

/** A refused ticket operation. The message is public and contains no ticket. */
export class TicketError extends CodedError<TicketErrorCode> {}

/** A valid ticket, presented by another service than it was issued for. */
export class ServiceMismatchError extends TicketError {
  constructor(readonly originalService: string) {
    super('INVALID_SERVICE', 'the ticket was issued for another service');
  }
}

/** The same error for unknown, expired and destroyed TGTs, and for ids of any other kind. */
export function grantingTicketNotFound(): TicketError {
  return new TicketError('GRANTING_TICKET_NOT_FOUND', 'TicketGrantingTicket could not be found');
}
