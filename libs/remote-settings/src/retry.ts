// Owns the patience with servers that settings come from: how often to ask, how long to wait in between, and what to say.
import cluster from 'node:cluster';
import type { LogFields, Logger } from '@tessera/logging';

/** Intervals in milliseconds. */
export interface RetrySchedule {
  /** The first one included. */
  readonly maxAttempts: number;
  readonly initialInterval: number;
  readonly maxInterval: number;
}

/** As Spring's clients have it. */
const MULTIPLIER = 1.1;

/**
 * Milliseconds until the next attempt: growing, and different for each of many that ask at once.
 *
 * @param attempt the first is 1
 * @param random from 0 to 1
 */
export function pauseAfter(
  attempt: number,
  { initialInterval, maxInterval }: Omit<RetrySchedule, 'maxAttempts'>,
  random = Math.random(),
): number {
  const longest = Math.min(initialInterval * MULTIPLIER ** (attempt - 1), maxInterval);
  return Math.round((longest * (1 + random)) / 2);
}

/** The first attempt of a reading that fails is a warning. Of several processes, which all ask, the first one gives it. */
export function tellOfRetry(
  log: Pick<Logger, 'debug' | 'warn'>,
  fields: LogFields & { readonly attempt: number },
  message: string,
  isWorker = cluster.isWorker,
): void {
  if (fields.attempt === 1 && !isWorker) log.warn(fields, message);
  else log.debug(fields, message);
}
