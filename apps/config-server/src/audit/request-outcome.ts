import type { AuditEvent } from '@tessera/audit';
import { CodedError } from '@tessera/runtime';

export type Outcome = Pick<AuditEvent, 'outcome' | 'reason'>;

/** They say nothing about the request. */
const UNDECIDED: ReadonlySet<string> = new Set([
  'BACKEND_UNAVAILABLE',
  'FILES_BUSY',
  'KEY_UNUSABLE',
  'SOURCE_MALFORMED',
]);

/** The outcome of a request that failed, with the code of its error. */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof CodedError)) return { outcome: 'unknown', reason: 'ERROR' };
  const { code } = error as CodedError;
  return { outcome: UNDECIDED.has(code) ? 'unknown' : 'failure', reason: code };
}
