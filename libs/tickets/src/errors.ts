// Owns the faults a ticket operation can have. How they are worded on the wire is each protocol's own matter.

/** Stable codes; docs/errors.md lists them. */
export type TicketErrorCode =
  | 'GRANTING_TICKET_NOT_FOUND'
  | 'SERVICE_NOT_AUTHORIZED'
  | 'NEW_LOGIN_REQUIRED'
  | 'INVALID_TICKET'
  | 'INVALID_SERVICE'
  | 'UNAUTHORIZED_SERVICE';

/** A ticket operation that was refused. The message is public and holds no ticket. */
export class TicketError extends Error {
  override readonly name = 'TicketError';

  constructor(
    readonly code: TicketErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** A ticket that is good, presented by another service than it was issued for. */
export class ServiceMismatchError extends TicketError {
  constructor(readonly originalService: string) {
    super('INVALID_SERVICE', 'the ticket was issued for another service');
  }
}

/** One wording for unknown, expired and destroyed TGTs, and for ids of any other kind. */
export function grantingTicketNotFound(): TicketError {
  return new TicketError('GRANTING_TICKET_NOT_FOUND', 'TicketGrantingTicket could not be found');
}
