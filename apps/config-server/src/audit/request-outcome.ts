import type { AuditEvent } from '@tessera/audit';
import { CryptoError } from '@tessera/crypto';
import { AdmissionError, RequestError } from '@tessera/server';
import { ThrottledError } from '@tessera/throttling';
import { BackendError } from '../backends/backend-error.js';
import { CallerError } from '../callers/caller-error.js';
import { EncryptionError } from '../encryption/encryption-error.js';
import { EnvironmentError } from '../environment/environment-error.js';

export type Outcome = Pick<AuditEvent, 'outcome' | 'reason'>;

const CODED = [
  AdmissionError,
  BackendError,
  CallerError,
  CryptoError,
  EncryptionError,
  EnvironmentError,
  RequestError,
  ThrottledError,
] as const;
/** They say nothing about the request. */
const UNDECIDED: ReadonlySet<string> = new Set([
  'BACKEND_UNAVAILABLE',
  'FILES_BUSY',
  'KEY_UNUSABLE',
  'SOURCE_MALFORMED',
]);

/** The outcome of a request that failed, with the code of its error. */
export function outcomeOf(error: unknown): Outcome {
  const coded = CODED.some((each) => error instanceof each);
  if (!coded) return { outcome: 'unknown', reason: 'ERROR' };
  const { code } = error as { readonly code: string };
  return { outcome: UNDECIDED.has(code) ? 'unknown' : 'failure', reason: code };
}
