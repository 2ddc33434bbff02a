export {
  codeOf,
  DatabaseError,
  isLocked,
  isUnavailable,
  reasonOf,
  toDatabaseError,
  unavailabilityOf,
  type DatabaseErrorCode,
} from '@tessera/runtime';
export { Announcements, type AnnouncementEvent } from './announcements.js';
export { Cleaner } from './cleaner.js';
export { DatabaseModule, type DatabaseOptions } from './database.module.js';
export {
  connect,
  DATABASE_TIMEOUTS,
  databaseTimeouts,
  poolOf,
  SESSION_OPTIONS,
  type ConnectionOptions,
} from './connection.js';
export { DurableStatements } from './durable-statements.js';
export { durableTransaction } from './durable-transaction.js';
export { requireTableRights } from './table-rights.js';
export { watchCredentials } from './credentials-watch.js';
export { PreparedStatement, type TextRow } from './prepared-statement.js';
export { migrate, withUnlimitedSession } from './migrate.js';
export { ReadOnlyQuery, type QueryResult } from './read-only-query.js';
export { readSchema, tooOldReason, type SchemaState } from './schema-state.js';
export {
  fourDigits,
  numberOf,
  type Migration,
  type MigrationClass,
} from './migrations/migration.js';
export { statementOperations, type Statement } from './statement-operations.js';
export { probeWrite } from './write-probe.js';
