// Reports to an observer how tickets were granted and refused.
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

/** Waits for a grant and reports its outcome. @returns the ticket. @throws the error of the grant, after the report */
export async function reportOutcome(
  grant: Promise<Grant>,
  subject: Subject,
  observe: TicketObserver,
): Promise<TicketId> {
  try {
    return reportGranted(await grant, subject, observe);
  } catch (error) {
    throw reportRefused(error, subject, observe);
  }
}

/** Reports a grant. @returns its ticket */
export function reportGranted(
  { id, principal }: Grant,
  subject: Subject,
  observe: TicketObserver,
): TicketId {
  observe({ ...subject, type: 'granted', principal: principal ?? subject.principal });
  return id;
}

/** Reports a refusal. @returns the error, for the caller to throw */
export function reportRefused(error: unknown, subject: Subject, observe: TicketObserver): unknown {
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
