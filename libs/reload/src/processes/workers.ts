// Owns the workers that take part in reloads, as the first process knows them. Their life is looked after elsewhere.
import cluster, { type Cluster, type Worker } from 'node:cluster';
import { NEW_WORKER } from '../reload-reasons.js';
import type { Reload } from '../reload.js';
import { readFromWorker, type FromWorker, type ToWorker } from './messages.js';
import { WorkerProcess } from './worker-process.js';

export class Workers {
  private readonly joined = new Map<number, WorkerProcess>();
  /** They have joined, and began with settings that may be of the past by now. */
  private readonly newcomers = new Set<Worker>();

  /**
   * @param inForce the settings, as text
   * @param patience how many milliseconds a worker has for each answer
   */
  constructor(
    private readonly inForce: () => string,
    private readonly source: Pick<Cluster, 'on'> = cluster,
    private readonly patience?: number,
  ) {}

  get processes(): readonly WorkerProcess[] {
    return [...this.joined.values()];
  }

  /** Those that take part in a reload which begins now, all with the settings in force. Of others, the log has told. */
  inStep(): readonly WorkerProcess[] {
    for (const worker of this.newcomers) this.tell(worker);
    this.newcomers.clear();
    return this.processes.filter(({ isSilent }) => !isSilent);
  }

  /** Tells workers that start what they start with: a worker that read it by itself might find something else. */
  supply(): void {
    this.source.on('message', (worker: Worker, message: unknown) => {
      if (readFromWorker(message)?.reload === 'starting') this.tell(worker);
    });
  }

  /** Lets workers join, and reloads when one asks for it, or has joined. */
  admit(reload: Reload): void {
    this.source.on('message', (worker: Worker, message: unknown) => {
      const known = readFromWorker(message);
      if (known !== undefined) void this.hear(worker, known, reload);
    });
    this.source.on('disconnect', (worker: Worker) => {
      this.newcomers.delete(worker);
      this.joined.get(worker.id)?.ended();
      this.joined.delete(worker.id);
    });
  }

  private async hear(worker: Worker, message: FromWorker, reload: Reload): Promise<void> {
    if (message.reload === 'joined') {
      const channel = { name: `worker ${worker.process.pid}`, send: sendTo(worker) };
      this.joined.set(worker.id, new WorkerProcess(channel, message.files, this.patience));
      await this.bringAlong(worker, reload);
    } else if (message.reload === 'request') {
      const { request, cause } = message;
      sendTo(worker)({ reload: 'outcome', request, outcome: await reload(cause) });
    } else if (message.reload !== 'starting') {
      const known = this.joined.get(worker.id);
      const wasSilent = known?.isSilent;
      known?.hear(message);
      // The others may have gone over without it.
      if (wasSilent) await this.bringAlong(worker, reload);
    }
  }

  private async bringAlong(worker: Worker, reload: Reload): Promise<void> {
    this.newcomers.add(worker);
    await reload(NEW_WORKER);
  }

  private tell(worker: Worker): void {
    sendTo(worker)({ reload: 'settings', inForce: this.inForce() });
  }
}

function sendTo(worker: Worker): (message: ToWorker) => void {
  // Without a callback, a worker that is gone would be an exception.
  return (message) => void worker.send(message, () => {});
}
