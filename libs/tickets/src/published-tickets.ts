// Ticket operations that publish their outcomes, for those who count.
import { TicketError } from './errors.js';
import { ServiceTickets, type Assertion, type ValidationRequest } from './service-tickets.js';
import { ticketEvents, type GrantedKind, type TicketEvent } from './ticket-events.js';
import { TicketGranting } from './ticket-granting.js';
import type { TicketId } from './ticket-id.js';
import type { Authentication, ConsumedTicket } from './ticket-registry.js';

const KINDS = ['ST', 'PT', 'TGT', 'PGT'] as const;

/** {@link ServiceTickets} with an event for each ticket that is granted, validated or refused. */
export class PublishedServiceTickets extends ServiceTickets {
  override grant(
    grantingTicket: string,
    service: string,
    options: { readonly withCredentials?: boolean } = {},
  ): Promise<TicketId> {
    return publishedGrant('ST', super.grant(grantingTicket, service, options));
  }

  override grantProxy(grantingTicket: string, service: string): Promise<TicketId> {
    return publishedGrant('PT', super.grantProxy(grantingTicket, service));
  }

  override validate(request: ValidationRequest): Promise<Assertion> {
    const validation = super.validate(request);
    if (ticketEvents.hasSubscribers) {
      const kind = presentedKind(request.ticket);
      validation.then(
        () => ticketEvents.publish({ type: 'validated', kind: kind === 'PT' ? 'PT' : 'ST' }),
        (error: unknown) => ticketEvents.publish(refusal('validate', kind, error)),
      );
    }
    return validation;
  }
}

/** {@link TicketGranting} with an event for each ticket that is granted or refused. */
export class PublishedTicketGranting extends TicketGranting {
  override issue(
    authentication: Authentication,
    options: { readonly isRemembered?: boolean } = {},
  ): Promise<TicketId> {
    return publishedGrant('TGT', super.issue(authentication, options));
  }

  override issueProxy(validated: ConsumedTicket, callbackUrl: string): Promise<TicketId> {
    return publishedGrant('PGT', super.issueProxy(validated, callbackUrl));
  }
}

/** @returns the same promise */
function publishedGrant(kind: GrantedKind, grant: Promise<TicketId>): Promise<TicketId> {
  if (ticketEvents.hasSubscribers) {
    grant.then(
      () => ticketEvents.publish({ type: 'granted', kind }),
      (error: unknown) => ticketEvents.publish(refusal('grant', kind, error)),
    );
  }
  return grant;
}

function refusal(
  operation: 'grant' | 'validate',
  kind: GrantedKind | 'other',
  error: unknown,
): TicketEvent {
  const reason = error instanceof TicketError ? error.code : 'ERROR';
  return { type: 'refused', operation, kind, reason };
}

function presentedKind(ticket: string): GrantedKind | 'other' {
  return KINDS.find((kind) => ticket.startsWith(`${kind}-`)) ?? 'other';
}
