// Messages for connections that failed. They repeat nothing of the driver's and PostgreSQL's messages but the code:
// those may quote the URL with its password.
import { codeOf, DatabaseError, isUnavailable } from '@tessera/runtime';

/** Errors that the driver throws without a code and without a quotation, with our message. */
const MESSAGES_WITHOUT_CODE = new Map([
  ['The server does not support SSL connections', 'the server does not support TLS'],
]);

/** What an operator must know of a refusal. The code follows. */
const REFUSALS = new Map([
  ['3D000', 'the database does not exist: create it by "create database … owner …"'],
  ['42501', 'the role may not connect: "grant connect on database … to …" lets it'],
]);

/** Why the connection failed, as a clause to follow a colon. */
function describeConnectionError(error: unknown): string {
  const code = codeOf(error);
  const isSqlState = /^[0-9A-Z]{5}$/.test(code);
  const kind = isSqlState ? `SQLSTATE ${code}` : code;
  if (error instanceof DatabaseError) return asClause(error.message);
  if (code.startsWith('28')) return `the database refuses user or password (${kind})`;
  if (isUnavailable(error)) return 'the database is not available';
  const refusal = REFUSALS.get(code) ?? 'the database refused the connection';
  if (isSqlState) return `${refusal} (${kind})`;
  const words = MESSAGES_WITHOUT_CODE.get(error instanceof Error ? error.message : '');
  return words ?? `cannot connect to the database${code === '' ? '' : ` (${kind})`}`;
}

/** The error without the driver's message. Returns errors for which {@link isUnavailable} holds as they are. */
export function withoutQuotes(error: unknown): unknown {
  if (error instanceof DatabaseError || isUnavailable(error)) return error;
  return refusedError(describeConnectionError(error));
}

/** @param reason a clause, as it follows a colon */
export function refusedError(reason: string): DatabaseError {
  return new DatabaseError('DATABASE_REFUSED', `${reason[0]?.toUpperCase()}${reason.slice(1)}.`);
}

function asClause(sentence: string): string {
  return `${sentence[0]?.toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
}
