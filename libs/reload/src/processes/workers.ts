// Owns the workers that take part in reloads, as the first process knows them. Their life is looked after elsewhere.
import cluster, { type Cluster, type Worker } from 'node:cluster';
import { NEW_WORKER } from '../causes.js';
import type { Reload } from '../reload.js';
import { readFromWorker, type FromWorker, type ToWorker } from './messages.js';
import { WorkerProcess } from './worker-process.js';

export class Workers {
  private readonly joined = new Map<number, WorkerProcess>();

  constructor(private readonly source: Pick<Cluster, 'on'> = cluster) {}

  get processes(): readonly WorkerProcess[] {
    return [...this.joined.values()];
  }

  /** Lets workers join, and reloads when one asks for it, or has come up with what may be other settings. */
  admit(reload: Reload): void {
    this.source.on('message', (worker: Worker, message: unknown) => {
      const known = readFromWorker(message);
      if (known !== undefined) void this.hear(worker, known, reload);
    });
    this.source.on('disconnect', ({ id }: Worker) => {
      this.joined.get(id)?.ended();
      this.joined.delete(id);
    });
  }

  private async hear(worker: Worker, message: FromWorker, reload: Reload): Promise<void> {
    if (message.reload === 'joined') {
      const channel = { name: `worker ${worker.process.pid}`, send: sendTo(worker) };
      this.joined.set(worker.id, new WorkerProcess(channel, message.files));
      await reload(NEW_WORKER);
    } else if (message.reload === 'request') {
      const { request, cause } = message;
      sendTo(worker)({ reload: 'outcome', request, outcome: await reload(cause) });
    } else {
      this.joined.get(worker.id)?.hear(message);
    }
  }
}

function sendTo(worker: Worker): (message: ToWorker) => void {
  // Without a callback, a worker that is gone would be an exception.
  return (message) => void worker.send(message, () => {});
}
