// Owns running one application as several processes that share its port.
import cluster, { type Worker } from 'node:cluster';
import { availableParallelism } from 'node:os';
import { loggerFor } from '@tessera/logging';
import { NO_DEBUGGER_BY_SIGNAL } from '@tessera/runtime';
import { isAnnouncement } from './serve.js';
import { onShutdown } from './shutdown-signal.js';

const logger = loggerFor('server');
const RESTART_DELAY = 1_000;

/** `auto` is one worker a core. */
export type WorkerCount = number | 'auto';

/**
 * Runs `start` in this process for one worker, else in as many forked ones. The first process then only watches: it
 * passes signals on, replaces a worker that died, and exits when all have, with 0 unless none ever listened.
 */
export async function runWorkers(count: WorkerCount, start: () => Promise<void>): Promise<void> {
  const workers = count === 'auto' ? availableParallelism() : count;
  if (workers === 1 || cluster.isWorker) {
    if (cluster.worker) outliveWatcher(cluster.worker);
    await start();
    return;
  }
  superviseWorkers(workers);
}

/** A worker ends at once with its watcher, unless it means to be alone: ours takes its time to close what it opened. */
function outliveWatcher(worker: Worker): void {
  worker.once('disconnect', () => {
    worker.exitedAfterDisconnect = true;
  });
}

function superviseWorkers(count: number): void {
  let stopping = false;
  let listening = 0;
  let replacement: NodeJS.Timeout | undefined;
  cluster.on('message', (_worker: Worker, message: unknown) => {
    if (!isAnnouncement(message)) return;
    listening += 1;
    if (listening === count) process.send?.(message);
  });
  const exitAfterLast = (): void => {
    if (Object.keys(cluster.workers ?? {}).length === 0) process.exit();
  };
  cluster.on('exit', (worker: Worker, code: number | null, signal: string | null) => {
    if (stopping || listening === 0) {
      if (!stopping) process.exitCode = 1;
      exitAfterLast();
      return;
    }
    logger.error({ worker: worker.process.pid, code, signal }, 'a worker died; starting another');
    replacement = setTimeout(() => {
      if (!stopping) cluster.fork();
    }, RESTART_DELAY);
  });
  onShutdown(() => {
    stopping = true;
    clearTimeout(replacement);
    for (const worker of Object.values(cluster.workers ?? {})) worker?.kill('SIGTERM');
    exitAfterLast();
  });
  // The first process may have been started without the option.
  cluster.setupPrimary({ execArgv: [...process.execArgv, NO_DEBUGGER_BY_SIGNAL] });
  for (let index = 0; index < count; index += 1) cluster.fork();
}
