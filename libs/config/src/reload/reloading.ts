// Sets up reloads in a process: the primary process watches, polls and coordinates; workers take part.
import cluster from 'node:cluster';
import { handleSighup } from '@tessera/runtime';
import type { CoreSettings, LiveSettings } from '../settings/index.js';
import { PendingReloads } from './pending-reloads.js';
import { PrimaryClient } from './processes/primary-client.js';
import { Workers } from './processes/workers.js';
import { reloadOf, type Reload } from './reload.js';
import { FileWatch } from './triggers/file-watch.js';
import { scheduleReloads } from './triggers/reload-scheduler.js';

export interface Reloading {
  /** Reloads all processes of this program on this machine, whichever process calls it. */
  readonly reload: Reload;
  /**
   * With several processes: resolves when this process has the settings of the others, and keeps them in step from then on.
   * Call it when everything that depends on settings follows them, and before the process takes requests.
   *
   * @param shutdown aborted when the shutdown begins
   * @throws SettingsError when it cannot use those settings
   */
  join(shutdown: AbortSignal): Promise<void>;
  /**
   * Starts to reload on SIGHUP, changed files and polling. Call it when everything that depends on settings follows them.
   *
   * @param shutdown aborted when the shutdown begins
   */
  start(shutdown: AbortSignal): void;
}

/** Call it as soon as settings are loaded: it detects files that change from then on. */
export async function openReloading<T extends CoreSettings>(
  live: LiveSettings<T>,
): Promise<Reloading> {
  return cluster.isWorker ? inWorker(live) : inPrimary(live);
}

function inWorker<T extends CoreSettings>(live: LiveSettings<T>): Reloading {
  const primary = new PrimaryClient(live);
  const pending = new PendingReloads(primary.reload);
  const { reload } = pending;
  return {
    reload,
    join: (shutdown) => primary.join(shutdown),
    start: (shutdown) => {
      pending.endAt(shutdown);
      reloadOnSighup(reload, shutdown);
    },
  };
}

async function inPrimary<T extends CoreSettings>(live: LiveSettings<T>): Promise<Reloading> {
  const workers = new Workers(() => live.snapshot);
  workers.answerStarting();
  const files = (): string[] => [...live.files, ...workers.processes.flatMap((each) => each.files)];
  const watch = await FileWatch.open(files);
  const pending = new PendingReloads(
    reloadOf(live, { others: () => workers.participants(), around: (run) => watch.during(run) }),
  );
  const { reload } = pending;
  return {
    reload,
    join: () => Promise.resolve(),
    start: (shutdown) => {
      pending.endAt(shutdown);
      if (shutdown.aborted) return;
      workers.admit(reload);
      const stop = scheduleReloads(live, watch, reload);
      shutdown.addEventListener('abort', stop, { once: true });
      reloadOnSighup(reload, shutdown);
    },
  };
}

function reloadOnSighup(reload: Reload, shutdown: AbortSignal): void {
  handleSighup().onReload(() => {
    if (!shutdown.aborted) void reload('SIGHUP');
  });
}
