// A span for each SQL statement of a request. @see OpenTelemetry's semantic conventions for PostgreSQL
import type { Attributes } from '@opentelemetry/api';
import { statementOperations, type Statement } from '@tessera/database';
import type { Tracing } from './tracing.js';

/** The digit of a name is the table of the ring. */
const RING_TABLE = /-\d$/;
const VERB = /^\s*(?:--.*\n\s*)*([a-z]+)/i;
const TABLE = /\b(?:from|into|update|table)\s+(?:only\s+)?(?:"?public"?\.)?"?([a-z_][a-z0-9_$]*)/i;
/** Texts are those of the program, but TypeORM writes one for each length of a list. */
const MAX_SUMMARIES = 1_000;

const summaries = new Map<string, string>();

export function traceStatements(tracing: Tracing): void {
  tracing.traceBelow(
    statementOperations,
    (statement) => {
      const name = summaryOf(statement);
      return { name, kind: 'client', attributes: statementAttributes(name) };
    },
    ({ error }) => {
      const state = sqlStateOf(error);
      return state === undefined ? {} : { 'db.response.status_code': state };
    },
  );
}

/** @param summary of few values */
export function statementAttributes(summary: string): Attributes {
  return { 'db.system.name': 'postgresql', 'db.query.summary': summary };
}

/** The name of a prepared statement, else the verb and the first table: `select user_account`. Without any value. */
export function summaryOf({ name, text }: Statement): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const summary = name?.replace(RING_TABLE, '') ?? summarised(text);
  if (summaries.size < MAX_SUMMARIES) summaries.set(text, summary);
  return summary;
}

function summarised(text: string): string {
  const verb = VERB.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const table = TABLE.exec(text)?.[1]?.toLowerCase();
  return table === undefined ? verb : `${verb} ${table}`;
}

/** @see PostgreSQL documentation, appendix A */
function sqlStateOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
