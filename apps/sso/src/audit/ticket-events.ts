// Turns events of tickets into events of the audit trail.
import type { AuditEvent } from '@tessera/audit';
import type { TicketEvent } from '@tessera/tickets';

type Grant = Extract<TicketEvent, { kind: unknown }>['kind'];

const GRANTS = {
  ST: 'GRANT_TICKET',
  PT: 'GRANT_PROXY_TICKET',
  PGT: 'GRANT_PROXY_GRANTING_TICKET',
} as const;

/** Undefined for a TGT: the login is recorded. */
export function auditEventOf(event: TicketEvent): AuditEvent | undefined {
  const { principal, service, session } = event;
  const participants = { principal, service, session };
  switch (event.type) {
    case 'ended':
      return { action: 'LOGOUT', outcome: 'success', ...participants };
    case 'validated':
      return { action: 'VALIDATE_TICKET', outcome: 'success', ...participants };
    case 'granted': {
      const action = grantOf(event.kind);
      return action && { action, outcome: 'success', ...participants };
    }
    case 'refused': {
      const action = event.operation === 'validate' ? 'VALIDATE_TICKET' : grantOf(event.kind);
      return action && { action, ...refusalOf(event.reason), ...participants };
    }
  }
}

function grantOf(kind: Grant): AuditEvent['action'] | undefined {
  return kind === 'ST' || kind === 'PT' || kind === 'PGT' ? GRANTS[kind] : undefined;
}

/** An error that is no refusal says nothing about the ticket. */
function refusalOf(reason: string): Pick<AuditEvent, 'outcome' | 'reason'> {
  return { outcome: reason === 'ERROR' ? 'unknown' : 'failure', reason };
}
