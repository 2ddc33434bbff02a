import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/**
 * Polls a condition until its result is neither false nor undefined, and returns the result.
 *
 * @param what the condition, for the error: `the node answers again`
 * @param within timeout in milliseconds
 * @throws Error when the timeout has passed
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  within = 150_000,
): Promise<Exclude<T, false | undefined>> {
  const deadline = performance.now() + within;
  for (;;) {
    const answer = await condition();
    if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>;
    if (performance.now() > deadline) throw new Error(`timeout after ${within} ms: ${what}`);
    await sleep(POLL_MS);
  }
}
