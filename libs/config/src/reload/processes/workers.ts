// The primary's connections to its workers: it sends them the settings that it has tried itself.
import cluster, { type Cluster, type Worker } from 'node:cluster';
import { loggerFor } from '@tessera/logging';
import type { Reload } from '../reload.js';
import { type FromWorker, isReloadMessage, type ToWorker } from './messages.js';

const log = loggerFor('settings');

const ANSWER_TIMEOUT_MS = 30_000;

export class Workers {
  /** The workers that have settings, each with what to call when it has applied the latest. */
  private readonly known = new Map<Worker, () => void>();

  /**
   * @param snapshot the current settings, as text
   * @param timeout milliseconds for each answer of a worker
   */
  constructor(
    private readonly snapshot: () => string,
    private readonly source: Pick<Cluster, 'on'> = cluster,
    private readonly timeout = ANSWER_TIMEOUT_MS,
  ) {}

  /** Sends the settings to each worker that starts, and reloads when a worker requests it. */
  open(reload: Reload): void {
    this.source.on('message', (worker: Worker, message: unknown) => {
      if (isReloadMessage(message)) void this.onMessage(worker, message, reload);
    });
    this.source.on('disconnect', (worker: Worker) => {
      this.known.get(worker)?.();
      this.known.delete(worker);
    });
  }

  /**
   * Sends the current settings to all workers. Resolves when each has applied them or has ended: a worker that cannot use
   * them ends. One that does not answer in time is killed.
   */
  async publish(): Promise<void> {
    await Promise.all(Array.from(this.known.keys(), (worker) => this.apply(worker)));
  }

  private async apply(worker: Worker): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.known.set(worker, () => resolve(undefined));
    const timer = setTimeout(() => {
      log.error({ worker: worker.process.pid }, 'a worker does not apply the settings: killing it');
      worker.process.kill('SIGKILL');
    }, this.timeout).unref();
    this.sendSettings(worker);
    await promise;
    clearTimeout(timer);
  }

  private async onMessage(
    worker: Worker,
    message: FromWorker | ToWorker,
    reload: Reload,
  ): Promise<void> {
    if (message.reload === 'starting') {
      this.known.set(worker, () => {});
      this.sendSettings(worker);
    } else if (message.reload === 'applied') {
      this.known.get(worker)?.();
    } else if (message.reload === 'request') {
      const { request, cause } = message;
      send(worker, { reload: 'outcome', request, outcome: await reload(cause) });
    }
  }

  private sendSettings(worker: Worker): void {
    send(worker, { reload: 'settings', snapshot: this.snapshot() });
  }
}

function send(worker: Worker, message: ToWorker): void {
  // Without a callback, a worker that has ended would throw.
  worker.send(message, () => {});
}
