// The audit trail.
export { AuditModule } from './audit.module.js';
export {
  AUDIT_ACTIONS,
  AUDIT_OUTCOMES,
  type AuditAction,
  type AuditEvent,
  type AuditOutcome,
  type AuditRecord,
} from './audit-event.js';
export { AuditSearch, type AuditQuery, type StoredAuditRecord } from './audit-search.js';
export { AuditStore } from './audit-store.js';
export { AuditEventEntity } from './audit-event.entity.js';
export { AuditSettings } from './audit-settings.js';
export { AuditWriter, type AuditWriterEvent } from './audit-writer.js';
export { openAuditTrail, type OpenedAuditTrail } from './open-audit-trail.js';
export { AuditTrail, type AuditTrailOptions, insertAuditEvent } from './audit-trail.js';
