/** How the delays between attempts grow. */
export interface Backoff {
  /** Milliseconds after the first attempt. */
  readonly initial: number;
  /** Milliseconds at most. */
  readonly max: number;
  /** By which each delay grows; 2 by default. */
  readonly factor?: number;
  /** The part of each delay that is random, 0 to 1, so that many clients do not retry in step; 0 by default. */
  readonly jitter?: number;
}

/**
 * Milliseconds until the next attempt (exponential backoff).
 *
 * @param attempt the number of attempts so far, 1 or more
 * @param random 0 to 1
 */
export function backoffDelay(
  attempt: number,
  { initial, max, factor = 2, jitter = 0 }: Backoff,
  random = Math.random(),
): number {
  const delay = Math.min(initial * factor ** (attempt - 1), max);
  return Math.round(delay * (1 - jitter * random));
}
