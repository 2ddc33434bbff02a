// The errors of this library, and which errors mean that the database is not available.

/** Every code a {@link DatabaseError} can carry. */
export const DATABASE_ERROR_CODES = [
  'DATABASE_UNAVAILABLE',
  'DATABASE_REFUSED',
  'DATABASE_NEWER',
  'MIGRATION_FAILED',
  'EMBEDDED_POSTGRES_UNSUPPORTED',
  'EMBEDDED_POSTGRES_FAILED',
] as const;

export type DatabaseErrorCode = (typeof DATABASE_ERROR_CODES)[number];

/**
 * A fault of the database as a whole. `message` names neither host nor user nor password; what the
 * driver said is in `cause`, for logs alone.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';

  constructor(
    readonly code: DatabaseErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** Faults of the socket or of the name look-up below it. */
const UNREACHABLE = new Set([
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

/** @see PostgreSQL documentation, appendix A: classes 08, 25, 53 and 57 */
const UNAVAILABLE_SQLSTATE = /^(?:08...|25P0[34]|53[03]00|57014|57P0[1235])$/;

/** SQLSTATEs of a server that answers but cannot do its work now, in words for the public. */
const DISABLED_SQLSTATES = new Map([
  ['25006', 'read-only'],
  ['53100', 'disk full'],
  ['53200', 'out of memory'],
  ['58030', 'I/O error'],
]);

/** What the driver throws without a code. */
const UNAVAILABLE_MESSAGE =
  /^(?:Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable)/;

/** TypeORM releases the runner of a transaction whose connection broke between two statements. */
const RELEASED = /^QueryRunner(?:Provider)?AlreadyReleasedError$/;

/**
 * True when the database could not be reached or left in the middle: connection refused, lost or
 * timed out, server starting up or shutting down, no connection slot free. True as well when it
 * cannot work: disk full, out of memory, I/O error, read-only. The same call may succeed later.
 * False for everything else that the database answered.
 */
export function isUnavailable(error: unknown): boolean {
  return unavailabilityOf(error) !== undefined;
}

/** Why the database is not available: `disk full` or the like, else `unreachable`; undefined for other errors. */
export function unavailabilityOf(error: unknown): string | undefined {
  const faults = causes(error);
  const words = faults.map((fault) => DISABLED_SQLSTATES.get(text(fault['code'])));
  return words.find(Boolean) ?? (faults.some(isAway) ? 'unreachable' : undefined);
}

/**
 * Turns the faults {@link isUnavailable} knows into a {@link DatabaseError} with the code
 * `DATABASE_UNAVAILABLE`, whose message says why; every other error comes back as it was.
 */
export function toDatabaseError(error: unknown): unknown {
  const reason = unavailabilityOf(error);
  if (error instanceof DatabaseError || reason === undefined) return error;
  const why = reason === 'unreachable' ? '' : `: ${reason}`;
  return new DatabaseError('DATABASE_UNAVAILABLE', `The database is not available${why}.`, error);
}

/** The `code` of an error, as Node and PostgreSQL give it; empty for one that has none. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? text(error.code) : '';
}

/** What an error says, for a log. */
export function reasonOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error;
  return (message && text(error.message)) || codeOf(error) || String(error);
}

function isAway(fault: Fault): boolean {
  return (
    fault['code'] === 'DATABASE_UNAVAILABLE' ||
    isSocketFault(fault) ||
    UNAVAILABLE_SQLSTATE.test(text(fault['code'])) ||
    UNAVAILABLE_MESSAGE.test(text(fault['message'])) ||
    RELEASED.test(text(fault['name']))
  );
}

function isSocketFault(fault: Fault): boolean {
  const code = text(fault['code']);
  // Of a connect to a Unix socket: it is not there, or so many wait before a server that hangs that
  // no more are let in. Elsewhere these codes are about files.
  const isOfSocket = (code === 'ENOENT' || code === 'EAGAIN') && fault['syscall'] === 'connect';
  return UNREACHABLE.has(code) || isOfSocket;
}

type Fault = Readonly<Record<string, unknown>>;

/** The error and what it wraps: `cause`, TypeORM's `driverError`, an AggregateError's `errors`. */
function causes(error: unknown, depth = 0): readonly Fault[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const fault = error as Fault;
  const inner = [fault['cause'], fault['driverError'], ...list(fault['errors'])];
  return [fault, ...inner.flatMap((each) => causes(each, depth + 1))];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
