// Owns when settings are read again without anybody's asking: files change, or it is time to ask remote sources.
import { type CoreSettings, type LiveSettings, sameValues } from '@tessera/settings';
import { CHANGED_FILE, POLLING, REFUSED_FILE } from '../reload-reasons.js';
import type { Reload } from '../reload.js';
import type { FileWatch } from './file-watch.js';
import { Repetition } from './repetition.js';
import { Retries } from './retries.js';

/** Many that were started at once do not ask at once for ever. */
const JITTER = 0.1;

/** @returns what ends it */
export function scheduleReloads<T extends CoreSettings>(
  live: LiveSettings<T>,
  watch: FileWatch,
  reload: Reload,
  retries = new Retries(),
): () => void {
  const looking = new Repetition(
    () => live.current.reload.fileInterval,
    async () => {
      await watch.look(() => reload(CHANGED_FILE));
      // Not the file may have been wrong, but a server that it names away.
      if (retries.isDue(watch.isRefused)) await reload(REFUSED_FILE);
    },
  );
  const polling = new Repetition(
    () => jittered(live.current.reload.remoteInterval, Math.random()),
    async () => live.loaded.isRemote && reload(POLLING),
  );
  const both = [looking, polling];
  live.follow({
    files: [],
    prepare: (next) => {
      const isSame = sameValues(next.reload, live.current.reload);
      const restart = (): void => both.forEach((each) => each.restart());
      return Promise.resolve(isSame ? undefined : { commit: restart, discard: () => {} });
    },
  });
  for (const each of both) each.restart();
  return () => both.forEach((each) => each.stop());
}

/** @param random from 0 to 1 */
export function jittered(interval: number, random: number): number {
  return Math.round(interval * (1 + JITTER * (2 * random - 1)));
}
