// Owns the choice of what is logged of an error.

/**
 * All that is logged of an error, in this order. Not everything it carries: database drivers attach
 * parameters and rows, which hold what people typed.
 */
export const ERROR_FIELDS = [
  'message',
  'code',
  'errno',
  'syscall',
  'address',
  'port',
  'status',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
  'stack',
  'cause',
  'errors',
] as const;
