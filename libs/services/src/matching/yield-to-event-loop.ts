// Long work that lets requests in between.
import { setImmediate } from 'node:timers/promises';

/** How long the event loop may be held at a stretch. */
const SLICE_MS = 5;

/** Does `work` for each item in order, and pauses for whatever else is waiting now and then. */
export async function inSlices<T>(
  items: readonly T[],
  work: (item: T, position: number) => void,
): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (const [position, item] of items.entries()) {
    work(item, position);
    if (performance.now() > sliceEnd) {
      await setImmediate();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
}
