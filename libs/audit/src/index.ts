// The audit trail.
export { AuditTrail, type AuditAction, type AuditAttempt, type AuditEvent } from './audit-store.js';
