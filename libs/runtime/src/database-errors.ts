// Errors of the database, and which ones mean that it is not available. Here, so that code without a database need not load
// its library.
import { CodedError } from './coded-error.js';

/** Every code a {@link DatabaseError} can carry. */
export const DATABASE_ERROR_CODES = [
  'DATABASE_UNAVAILABLE',
  'DATABASE_REFUSED',
  'DATABASE_TOO_OLD',
  'DATABASE_NEWER',
  'MIGRATION_FAILED',
  'EMBEDDED_POSTGRES_UNSUPPORTED',
  'EMBEDDED_POSTGRES_FAILED',
] as const;

export type DatabaseErrorCode = (typeof DATABASE_ERROR_CODES)[number];

/**
 * An error of the database as a whole. `message` names neither host nor user nor password. `cause` has the driver's
 * error, for logs only.
 */
export class DatabaseError extends CodedError<DatabaseErrorCode> {}

/** Error codes of sockets and of name resolution. */
const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * `0A000`: a standby cannot read unlogged tables. `55P03`: a row is locked for too long.
 *
 * @see PostgreSQL documentation, appendix A: classes 08, 0A, 25, 53 and 57
 */
const UNAVAILABLE_SQLSTATE = /^(?:08...|0A000|25P0[34]|53[03]00|55P03|57014|57P0[1235])$/;

/** SQLSTATEs of a server that answers but cannot work, with their public names. */
const OUT_OF_ORDER_SQLSTATES = new Map([
  ['25006', 'read-only'],
  ['53100', 'disk full'],
  ['53200', 'out of memory'],
  ['58030', 'I/O error'],
]);

/** Messages of errors that the driver throws without a code. */
const UNAVAILABLE_MESSAGE =
  /^(?:Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable)/;

/** TypeORM's error for a transaction that lost its connection between two statements. */
const RELEASED = /^QueryRunner(?:Provider)?AlreadyReleasedError$/;

/**
 * True when the connection was refused, lost or timed out, the server starts or stops, or no connection slot is free.
 * True as well when the server cannot work: disk full, out of memory, I/O error, read-only. The same call may succeed
 * later. False for all other errors.
 */
export function isUnavailable(error: unknown): boolean {
  return unavailabilityOf(error) !== undefined;
}

/** Whether a statement gave up waiting for a lock. It concerns the rows of that statement alone. */
export function isLocked(error: unknown): boolean {
  return errorChain(error).some(({ code }) => code === LOCK_NOT_AVAILABLE);
}

/** Whether an error passes by itself: the database is unavailable, or the error says so. */
export function isTemporary(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof CodedError && error.isTemporary);
}

/** Why the database is unavailable: `disk full` or the like, else `unreachable`; undefined for other errors. */
export function unavailabilityOf(error: unknown): string | undefined {
  const errors = errorChain(error);
  const reasons = errors.map((each) => OUT_OF_ORDER_SQLSTATES.get(text(each['code'])));
  return reasons.find(Boolean) ?? (errors.some(isUnreachable) ? 'unreachable' : undefined);
}

/**
 * Converts an error for which {@link isUnavailable} holds into a {@link DatabaseError} with the code
 * `DATABASE_UNAVAILABLE` and the reason in its message. Returns every other error as it is.
 */
export function toDatabaseError(error: unknown): unknown {
  const reason = unavailabilityOf(error);
  if (error instanceof DatabaseError || reason === undefined) return error;
  const why = reason === 'unreachable' ? '' : `: ${reason}`;
  return new DatabaseError('DATABASE_UNAVAILABLE', `The database is not available${why}.`, error);
}

/** The `code` of an error of Node or PostgreSQL; empty where it has none. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? text(error.code) : '';
}

/** The message of an error, for a log. */
export function reasonOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error;
  return (message && text(error.message)) || codeOf(error) || String(error);
}

function isUnreachable(error: ErrorFields): boolean {
  return (
    error['code'] === 'DATABASE_UNAVAILABLE' ||
    isSocketError(error) ||
    UNAVAILABLE_SQLSTATE.test(text(error['code'])) ||
    UNAVAILABLE_MESSAGE.test(text(error['message'])) ||
    RELEASED.test(text(error['name']))
  );
}

function isSocketError(error: ErrorFields): boolean {
  const code = text(error['code']);
  // On connect to a Unix socket: it does not exist, or the queue of a hanging server is full. For other system calls
  // these codes concern files.
  const isOfSocket = (code === 'ENOENT' || code === 'EAGAIN') && error['syscall'] === 'connect';
  return UNREACHABLE_CODES.has(code) || isOfSocket;
}

type ErrorFields = Readonly<Record<string, unknown>>;

/** The error and those it wraps: `cause`, TypeORM's `driverError`, an AggregateError's `errors`. */
function errorChain(error: unknown, depth = 0): readonly ErrorFields[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const fields = error as ErrorFields;
  const inner = [fields['cause'], fields['driverError'], ...list(fields['errors'])];
  return [fields, ...inner.flatMap((each) => errorChain(each, depth + 1))];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
