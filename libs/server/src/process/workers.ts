// Runs an application as several worker processes that share its port.
import cluster, { type Worker } from 'node:cluster';
import { availableParallelism } from 'node:os';
import { loggerFor } from '@tessera/logging';
import { NO_DEBUGGER_BY_SIGNAL } from '@tessera/runtime';
import { isReadyMessage } from './serve.js';
import { onShutdown, untilDrainTimeIsOver } from './shutdown-signal.js';

const logger = loggerFor('server');
const RESTART_DELAY_MS = 1_000;

/** What the primary process of several runs itself. */
export interface Primary {
  /** URL of the management listener; part of the ready message. */
  readonly management: string | undefined;
  /** Never fails. */
  close(): Promise<void>;
}

/** `auto`: one worker for each core. */
export type WorkerCount = number | 'auto';

/**
 * Runs `start` in this process for one worker, else in forked processes. The primary process forwards shutdown signals and
 * replaces workers that die. It exits after its last worker, with 0 unless none ever listened.
 *
 * @param startPrimary called in the primary process, before the workers start
 */
export async function runWorkers(
  count: WorkerCount,
  start: () => Promise<void>,
  startPrimary: () => Promise<Primary>,
): Promise<void> {
  const workers = count === 'auto' ? availableParallelism() : count;
  if (workers === 1 || cluster.isWorker) {
    if (cluster.worker) surviveDisconnect(cluster.worker);
    await start();
    return;
  }
  superviseWorkers(workers, await startPrimary());
}

/** By default a worker exits at once when the primary is gone. Ours shuts down gracefully. */
function surviveDisconnect(worker: Worker): void {
  worker.once('disconnect', () => {
    worker.exitedAfterDisconnect = true;
  });
}

function superviseWorkers(count: number, primary: Primary): void {
  let stopping = false;
  let listening = 0;
  let replacement: NodeJS.Timeout | undefined;
  cluster.on('message', (_worker: Worker, message: unknown) => {
    if (!isReadyMessage(message)) return;
    listening += 1;
    if (listening === count) process.send?.({ ...message, management: primary.management });
  });
  const exitAfterLast = (): void => {
    if (Object.keys(cluster.workers ?? {}).length > 0) return;
    void primary.close().then(() => process.exit());
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
    }, RESTART_DELAY_MS);
  });
  const signalWorkers = (signal: NodeJS.Signals): void => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.kill(signal);
  };
  onShutdown(() => {
    stopping = true;
    clearTimeout(replacement);
    signalWorkers('SIGTERM');
    exitAfterLast();
  });
  // At once after SIGINT, which their terminal may have sent to this process alone.
  void untilDrainTimeIsOver().then(() => signalWorkers('SIGINT'));
  // The primary may have been started without the option.
  cluster.setupPrimary({ execArgv: [...process.execArgv, NO_DEBUGGER_BY_SIGNAL] });
  for (let index = 0; index < count; index += 1) cluster.fork();
}
