// Audit events as lines of the log, with the field names of the Elastic Common Schema.
import { loggerFor } from '@tessera/logging';
import type { AuditRecord } from './audit-event.js';

const log = loggerFor('audit');

/** They happen all the time, so their lines are at level debug. */
const FREQUENT: ReadonlySet<string> = new Set([
  'LOGIN',
  'LOGOUT',
  'GRANT_TICKET',
  'GRANT_PROXY_TICKET',
  'GRANT_PROXY_GRANTING_TICKET',
  'VALIDATE_TICKET',
  'AUTHORIZE_CLIENT',
  'GRANT_TOKENS',
  'REVOKE_TOKENS',
  'AUTHENTICATE_CLIENT',
  'GRANT_CONSENT',
  'WITHDRAW_CONSENT',
  'SEND_LOGOUT_MESSAGE',
  'ENCRYPT',
  'DECRYPT',
  'READ_CONFIG',
]);

/** Whether an event is logged by the current levels. */
export function isLogged(event: Pick<AuditRecord, 'action' | 'outcome'>): boolean {
  return log.isEnabled(levelOf(event));
}

/** @see https://www.elastic.co/docs/reference/ecs */
export function logRecord(record: AuditRecord): void {
  log[levelOf(record)](fieldsOf(record), `${record.action} ${record.outcome}`);
}

function levelOf({
  action,
  outcome,
}: Pick<AuditRecord, 'action' | 'outcome'>): 'debug' | 'info' | 'warn' {
  if (FREQUENT.has(action)) return 'debug';
  return outcome === 'success' ? 'info' : 'warn';
}

function fieldsOf(record: AuditRecord): Readonly<Record<string, unknown>> {
  const fields = {
    '@timestamp': record.occurredAt.toISOString(),
    'event.action': record.action,
    'event.outcome': record.outcome,
    'event.reason': record.reason,
    'user.name': record.principal,
    'url.full': record.service,
    'client.address': record.clientAddress,
    'service.name': record.application,
    'service.node.name': record.node,
    'labels.subject': record.subject,
    'labels.session': record.session,
    'labels.details': record.details,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
