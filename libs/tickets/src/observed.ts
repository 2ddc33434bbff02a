// Tells an observer how tickets were granted and refused.
import { TicketError } from './errors.js';
import type { GrantedKind, TicketEvent, TicketObserver } from './ticket-events.js';
import type { TicketId } from './ticket-id.js';

const KINDS = ['ST', 'PT', 'TGT', 'PGT'] as const;

interface Grant {
  readonly id: TicketId;
  readonly principal?: string;
}

type Subject = Pick<TicketEvent, 'principal' | 'service' | 'session'> & {
  readonly kind: GrantedKind;
};

/** @returns the ticket of the grant. @throws its error */
export async function observed(
  grant: Promise<Grant>,
  subject: Subject,
  observe: TicketObserver,
): Promise<TicketId> {
  try {
    return observedGrant(await grant, subject, observe);
  } catch (error) {
    throw observedRefusal(error, subject, observe);
  }
}

/** @returns the ticket of the grant */
export function observedGrant(
  { id, principal }: Grant,
  subject: Subject,
  observe: TicketObserver,
): TicketId {
  observe({ ...subject, type: 'granted', principal: principal ?? subject.principal });
  return id;
}

/** @returns the error */
export function observedRefusal(
  error: unknown,
  subject: Subject,
  observe: TicketObserver,
): unknown {
  observe({ ...subject, type: 'refused', operation: 'grant', reason: reasonOf(error) });
  return error;
}

/** The code of a refusal; `ERROR` for every other error. */
export function reasonOf(error: unknown): TicketError['code'] | 'ERROR' {
  return error instanceof TicketError ? error.code : 'ERROR';
}

/** Of a text that a caller presented. */
export function presentedKind(ticket: string): GrantedKind | 'other' {
  return KINDS.find((kind) => ticket.startsWith(`${kind}-`)) ?? 'other';
}
