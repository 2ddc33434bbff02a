// Owns in which words a connection that failed is told. What the driver and PostgreSQL say may quote the URL, a password
// among it: nothing of it is told but a code.
import { codeOf, DatabaseError, isUnavailable } from './errors.js';

/** Faults that the driver throws without a code, and in which it quotes nothing. */
const OWN_WORDS = new Map([
  ['The server does not support SSL connections', 'the server does not speak TLS'],
]);

/** Why PostgreSQL cannot be connected with, as it reads on after a colon. */
export function reasonOfRefusal(error: unknown): string {
  const code = codeOf(error);
  const isSqlState = /^[0-9A-Z]{5}$/.test(code);
  const kind = isSqlState ? `SQLSTATE ${code}` : code;
  if (error instanceof DatabaseError) return readingOn(error.message);
  if (code.startsWith('28')) return `the database refuses user or password (${kind})`;
  if (isUnavailable(error)) return 'the database is not available';
  if (isSqlState) return `the database refused the connection (${kind})`;
  const words = OWN_WORDS.get(error instanceof Error ? error.message : '');
  return words ?? `the database cannot be connected with${code === '' ? '' : ` (${kind})`}`;
}

/** A connection that failed for other reasons than a database that is away; that one comes back as it was. */
export function withoutQuotes(error: unknown): unknown {
  if (error instanceof DatabaseError || isUnavailable(error)) return error;
  return refusal(reasonOfRefusal(error));
}

/** @param reason that reads on after a colon */
export function refusal(reason: string): DatabaseError {
  return new DatabaseError('DATABASE_REFUSED', `${reason[0]?.toUpperCase()}${reason.slice(1)}.`);
}

function readingOn(sentence: string): string {
  return `${sentence[0]?.toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
}
