// Runs long work in slices, so that it does not block the event loop.
import { setImmediate } from 'node:timers/promises';

const MAX_BLOCKING_MS = 5;

/** Calls `work` for each item in order. Yields to the event loop after every few milliseconds of work. */
export async function forEachYielding<T>(
  items: readonly T[],
  work: (item: T, position: number) => void,
): Promise<void> {
  let sliceEnd = performance.now() + MAX_BLOCKING_MS;
  for (const [position, item] of items.entries()) {
    work(item, position);
    if (performance.now() > sliceEnd) {
      await setImmediate();
      sliceEnd = performance.now() + MAX_BLOCKING_MS;
    }
  }
}
