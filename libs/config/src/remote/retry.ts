// Retries of requests to the servers that settings come from.
import cluster from 'node:cluster';
import type { LogFields, Logger } from '@tessera/logging';
import { backoffDelay } from '@tessera/runtime';

/** Intervals in milliseconds. */
export interface RetrySchedule {
  /** Including the first one. */
  readonly maxAttempts: number;
  readonly initialInterval: number;
  readonly maxInterval: number;
}

/** The default multiplier of Spring's clients. */
const FACTOR = 1.1;
const JITTER = 0.5;

/** Milliseconds until the next attempt. @param attempt the number of attempts so far */
export function retryDelay(
  attempt: number,
  { initialInterval: initial, maxInterval: max }: Omit<RetrySchedule, 'maxAttempts'>,
): number {
  return backoffDelay(attempt, { initial, max, factor: FACTOR, jitter: JITTER });
}

/** Logs a failed attempt: the first one as a warning, but of several processes only that of the primary. */
export function logRetry(
  log: Pick<Logger, 'debug' | 'warn'>,
  fields: LogFields & { readonly attempt: number },
  message: string,
  isWorker = cluster.isWorker,
): void {
  if (fields.attempt === 1 && !isWorker) log.warn(fields, message);
  else log.debug(fields, message);
}
