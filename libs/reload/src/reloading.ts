// Owns how a program's processes come to reload: the first one watches, polls and decides, its workers take part.
import cluster from 'node:cluster';
import { handleSighup } from '@tessera/runtime';
import type { CoreSettings, LiveSettings } from '@tessera/settings';
import { Callers } from './callers.js';
import { PrimaryClient } from './processes/primary-client.js';
import { Workers } from './processes/workers.js';
import { reloadOf, type Reload } from './reload.js';
import { FileWatch } from './triggers/file-watch.js';
import { scheduleReloads } from './triggers/reload-scheduler.js';

export interface Reloading {
  /** Of all processes of this program on this machine, whichever is asked; refused from when this one is to end. */
  readonly reload: Reload;
  /**
   * Where there are several processes: returns when this one has the settings of the others, from where on it keeps up with
   * them. To be called when everything follows the settings that is to follow them, and before anybody is served.
   *
   * @param end aborted when the process is to end
   * @throws SettingsError where it cannot have them
   */
  join(end: AbortSignal): Promise<void>;
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
  const first = new PrimaryClient(live);
  const callers = new Callers(first.reload);
  const { reload } = callers;
  return {
    reload,
    join: (end) => first.join(end),
    start: (end) => {
      callers.answerAt(end);
      reloadByHangUps(reload, end);
    },
  };
}

async function inFirstProcess<T extends CoreSettings>(live: LiveSettings<T>): Promise<Reloading> {
  const workers = new Workers(() => live.snapshot);
  workers.supply();
  const files = (): string[] => [...live.files, ...workers.processes.flatMap((each) => each.files)];
  const watch = await FileWatch.open(files);
  const callers = new Callers(
    reloadOf(live, { others: () => workers.inStep(), around: (run) => watch.during(run) }),
  );
  const { reload } = callers;
  return {
    reload,
    join: () => Promise.resolve(),
    start: (end) => {
      callers.answerAt(end);
      if (end.aborted) return;
      workers.admit(reload);
      const stop = scheduleReloads(live, watch, reload);
      end.addEventListener('abort', stop, { once: true });
      reloadByHangUps(reload, end);
    },
  };
}

function reloadByHangUps(reload: Reload, end: AbortSignal): void {
  handleSighup().onReload(() => {
    if (!end.aborted) void reload('SIGHUP');
  });
}
