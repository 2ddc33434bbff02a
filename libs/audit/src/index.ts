// The audit trail.
export { AuditModule } from './audit.module.js';
export {
  AUDIT_ACTIONS,
  AUDIT_OUTCOMES,
  type AuditEvent,
  type AuditOutcome,
} from './audit-event.js';
export { AuditSearch, AuditStore, type AuditQuery, type StoredAuditRecord } from './audit-store.js';
export { AuditEventEntity } from './audit-event.entity.js';
export { AuditSettings } from './audit-settings.js';
export { AuditTrail, insertAuditEvent } from './audit-trail.js';
