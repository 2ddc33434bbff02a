// Collects the garbage of this process.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export const collectGarbage = ((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();
