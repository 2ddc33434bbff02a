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
  switch (event.type) {
    case 'ended':
      return auditEvent('LOGOUT', event);
    case 'validated':
      return auditEvent('VALIDATE_TICKET', event);
    case 'granted':
      return auditEvent(grantOf(event.kind), event);
    case 'refused':
      return auditEvent(
        event.operation === 'validate' ? 'VALIDATE_TICKET' : grantOf(event.kind),
        event,
        event.reason,
      );
  }
}

/** @param reason of a refusal. An error that is no refusal says nothing about the ticket. */
function auditEvent(
  action: AuditEvent['action'] | undefined,
  { principal, service, session }: TicketEvent,
  reason?: string,
): AuditEvent | undefined {
  if (action === undefined) return undefined;
  if (reason === undefined) return { action, outcome: 'success', principal, service, session };
  const outcome = reason === 'ERROR' ? 'unknown' : 'failure';
  return { action, outcome, reason, principal, service, session };
}

function grantOf(kind: Grant): AuditEvent['action'] | undefined {
  return kind === 'ST' || kind === 'PT' || kind === 'PGT' ? GRANTS[kind] : undefined;
}
