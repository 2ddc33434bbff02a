// Waiting for a condition, with a deadline.
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/**
 * Asks again and again until the answer is neither false nor undefined, and returns it.
 * @param what named when the deadline passes: `the node answers again`
 * @param within in milliseconds
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  within = 20_000,
): Promise<Exclude<T, false | undefined>> {
  const deadline = performance.now() + within;
  for (;;) {
    const answer = await condition();
    if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>;
    if (performance.now() > deadline) throw new Error(`in vain for ${within} ms: ${what}`);
    await sleep(POLL_MS);
  }
}
