// Owns that what anybody may cause is not done all the time.
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Acts for each call, but begins only once in `pause` ms: calls that come too soon share the next time, so that each is
 * followed by one.
 */
export function spaced<R>(act: () => Promise<R>, pause: number): () => Promise<R> {
  let free = -Infinity;
  let next: Promise<R> | undefined;
  const whenFree = async (): Promise<R> => {
    await sleep(Math.max(0, free - performance.now()), undefined, { ref: false });
    next = undefined;
    free = performance.now() + pause;
    return act();
  };
  return () => (next ??= whenFree());
}
