// Owns how a program's processes come to reload: the first one watches, polls and decides, its workers take part.
import cluster from 'node:cluster';
import { heedHangUps } from '@tessera/runtime';
import type { CoreSettings, LiveSettings } from '@tessera/settings';
import { FirstProcess } from './processes/first-process.js';
import { Workers } from './processes/workers.js';
import { reloadOf, type Reload } from './reload.js';
import { FileWatch } from './triggers/file-watch.js';
import { reloadOfOwnAccord } from './triggers/own-accord.js';

export interface Reloading {
  /** Of all processes of this program on this machine, whichever is asked. */
  readonly reload: Reload;
  /**
   * Reloads from now on by SIGHUP, changed files and polling. To be called when everything follows the settings that is
   * to follow them.
   *
   * @param end aborted when the process is to end
   */
  start(end: AbortSignal): void;
}

/** To be called as soon as settings are loaded: what changes in files from here on is noticed. */
export async function openReloading<T extends CoreSettings>(
  live: LiveSettings<T>,
): Promise<Reloading> {
  return cluster.isWorker ? inWorker(live) : inFirstProcess(live);
}

function inWorker<T extends CoreSettings>(live: LiveSettings<T>): Reloading {
  const first = new FirstProcess(live);
  const { reload } = first;
  return {
    reload,
    start: (end) => {
      if (end.aborted) return;
      first.join();
      reloadByHangUps(reload, end);
    },
  };
}

async function inFirstProcess<T extends CoreSettings>(live: LiveSettings<T>): Promise<Reloading> {
  const workers = new Workers();
  const reload = reloadOf(live, () => workers.processes);
  const files = (): string[] => [...live.files, ...workers.processes.flatMap((each) => each.files)];
  const watch = await FileWatch.open(files);
  return {
    reload,
    start: (end) => {
      if (end.aborted) return;
      workers.admit(reload);
      const stop = reloadOfOwnAccord(live, watch, reload);
      end.addEventListener('abort', stop, { once: true });
      reloadByHangUps(reload, end);
    },
  };
}

function reloadByHangUps(reload: Reload, end: AbortSignal): void {
  heedHangUps().whenAskedToReload(() => {
    if (!end.aborted) void reload('SIGHUP');
  });
}
