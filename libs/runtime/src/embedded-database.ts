// The embedded PostgreSQL belongs to `tessera start`. An application that has no other database requests its URL over the
// channel between the two processes.
import { once } from 'node:events';
import { DatabaseError, type DatabaseErrorCode } from './database-errors.js';

/** `request`, or the URL: workers inherit it from their primary process. */
const VARIABLE = 'TESSERA_EMBEDDED_DATABASE';
const REQUEST = 'embedded database';

/** The answer of `tessera start` to a request. */
export type EmbeddedDatabaseAnswer =
  { readonly url: string } | { readonly code: DatabaseErrorCode; readonly message: string };

/** The variable by which `tessera start` tells its child processes that it answers requests. */
export function offersEmbeddedDatabase(): Readonly<Record<string, string>> {
  return { [VARIABLE]: 'request' };
}

/** Whether a message of a child process is a request for the embedded PostgreSQL. */
export function isEmbeddedDatabaseRequest(message: unknown): boolean {
  return message === REQUEST;
}

/**
 * Waits until the embedded PostgreSQL of `tessera start` runs, and returns its URL. The workers of this process inherit it.
 *
 * @throws {DatabaseError} `EMBEDDED_POSTGRES_UNSUPPORTED` where `tessera start` did not start this process; the error of
 * `tessera start` where it could not start PostgreSQL
 */
export async function embeddedDatabaseUrl(): Promise<string> {
  const known = process.env[VARIABLE];
  if (known === undefined) {
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_UNSUPPORTED',
      'There is no database: set database.url, or run this with `tessera start`, which has an embedded PostgreSQL.',
    );
  }
  if (known !== 'request') return known;
  const answer = await requestDatabase();
  if ('url' in answer) return (process.env[VARIABLE] = answer.url);
  throw new DatabaseError(answer.code, answer.message);
}

async function requestDatabase(): Promise<EmbeddedDatabaseAnswer> {
  const message = '`tessera start` ended before it had a database.';
  const noAnswer = { code: 'EMBEDDED_POSTGRES_FAILED', message } as const;
  if (process.send === undefined || !process.connected) return noAnswer;
  const waiting = new AbortController();
  const answered = once(process, 'message', waiting);
  const ended = once(process, 'disconnect', waiting);
  process.send(REQUEST);
  const [answer] = (await Promise.race([answered, ended])) as [EmbeddedDatabaseAnswer?];
  waiting.abort();
  return answer ?? noAnswer;
}
