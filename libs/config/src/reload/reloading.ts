// Sets up reloads in a process: the primary process reads the settings, its workers apply what it sends.
import cluster from 'node:cluster';
import { loggerFor } from '@tessera/logging';
import { handleSighup } from '@tessera/runtime';
import type { CoreSettings, PrepareSettings, ReloadableSettings } from '../settings/index.js';
import { PendingReloads } from './pending-reloads.js';
import { PrimaryClient } from './processes/primary-client.js';
import { Workers } from './processes/workers.js';
import { applyNewSettings, reloadOf, type Reload } from './reload.js';
import { FileWatch } from './triggers/file-watch.js';
import { scheduleReloads } from './triggers/reload-scheduler.js';

const log = loggerFor('settings');

export interface Reloading {
  /** Reloads all processes of this program on this machine, whichever process calls it. */
  readonly reload: Reload;
  /**
   * Starts to reload on SIGHUP, changed files and polling, or in a worker on messages of the primary process. Call it when
   * the application has started.
   *
   * @param shutdown aborted when the shutdown begins
   */
  readonly start: (shutdown: AbortSignal) => void;
}

/**
 * Call it as soon as settings are loaded: it detects files that change from then on.
 *
 * @param prepare makes this process ready for new settings
 */
export async function openReloading<T extends CoreSettings>(
  settings: ReloadableSettings<T>,
  prepare: PrepareSettings<T>,
): Promise<Reloading> {
  return cluster.isWorker ? inWorker(settings, prepare) : inPrimary(settings, prepare);
}

function inWorker<T extends CoreSettings>(
  settings: ReloadableSettings<T>,
  prepare: PrepareSettings<T>,
): Reloading {
  const primary = new PrimaryClient(async (snapshot) => {
    const outcome = await applyNewSettings(settings, prepare, snapshot);
    if (!('problems' in outcome)) return;
    const { problems } = outcome;
    log.error({ problems }, 'this worker cannot use the settings of the others, and ends');
    process.kill(process.pid, 'SIGTERM');
  });
  const pending = new PendingReloads(primary.reload);
  const { reload } = pending;
  return {
    reload,
    start: (shutdown) => {
      pending.endAt(shutdown);
      primary.start();
      reloadOnSighup(reload, shutdown);
    },
  };
}

async function inPrimary<T extends CoreSettings>(
  settings: ReloadableSettings<T>,
  prepare: PrepareSettings<T>,
): Promise<Reloading> {
  const workers = new Workers(() => settings.snapshot);
  const watch = await FileWatch.open(() => settings.files);
  const pending = new PendingReloads(
    reloadOf(settings, prepare, {
      publish: () => workers.publish(),
      around: (run) => watch.during(run),
    }),
  );
  const { reload } = pending;
  workers.open(reload);
  return {
    reload,
    start: (shutdown) => {
      pending.endAt(shutdown);
      if (shutdown.aborted) return;
      const stop = scheduleReloads(settings, watch, reload);
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
