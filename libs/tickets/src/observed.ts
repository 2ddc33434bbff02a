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
    const { id, principal = subject.principal } = await grant;
    observe({ ...subject, type: 'granted', principal });
    return id;
  } catch (error) {
    observe({ ...subject, type: 'refused', operation: 'grant', reason: reasonOf(error) });
    throw error;
  }
}

/** The code of a refusal; `ERROR` for every other error. */
export function reasonOf(error: unknown): TicketError['code'] | 'ERROR' {
  return error instanceof TicketError ? error.code : 'ERROR';
}

/** Of a text that a caller presented. */
export function presentedKind(ticket: string): GrantedKind | 'other' {
  return KINDS.find((kind) => ticket.startsWith(`${kind}-`)) ?? 'other';
}
