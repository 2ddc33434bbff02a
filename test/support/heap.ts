// Measures the heap of this process.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export const collectGarbage = ((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

/** Size of the objects in use, in MiB. */
export function usedHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
