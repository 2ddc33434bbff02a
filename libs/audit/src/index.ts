// The audit trail.
export { AuditModule } from './audit.module.js';
export { AuditTrail, type AuditAction, type AuditAttempt, type AuditEvent } from './audit-store.js';
