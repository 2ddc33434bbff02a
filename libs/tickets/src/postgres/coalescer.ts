// Batches requests that arrive while another batch runs.
import { batchEvents, batchOperations, type BatchEvent } from '../ticket-events.js';

interface Waiter<Request, Result> {
  readonly request: Request;
  resolve(result: Result): void;
  reject(error: unknown): void;
  /** The batch may run in the context of another request. */
  readonly store: unknown;
}

export interface CoalescerOptions {
  /** Name of the statement in {@link batchEvents}. */
  readonly statement: BatchEvent['statement'];
  /** Maximum number of requests in a batch. */
  readonly batchSize: number;
  /** Whether a batch that failed with this error may be retried one request at a time, because nothing of it was done. */
  readonly isolates: (error: unknown) => boolean;
}

/**
 * Runs requests in batches. An idle coalescer starts at once, without waiting a tick. Requests that arrive while a batch
 * runs form the next batch, in the order of their arrival. Where the error of a batch may belong to one of its requests,
 * each request runs alone. Any other error fails all requests of the batch and all waiting ones: the store is unavailable,
 * and waiting again would take as long.
 */
export class Coalescer<Request, Result> {
  private waiting: Waiter<Request, Result>[] = [];
  private isRunning = false;

  constructor(
    private readonly run: (batch: readonly Request[]) => Promise<readonly Result[]>,
    private readonly options: CoalescerOptions,
  ) {}

  submit(request: Request): Promise<Result> {
    const { store } = batchOperations;
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject, store });
      if (!this.isRunning) this.startBatch();
    });
  }

  private startBatch(): void {
    const { batchSize } = this.options;
    const batch =
      this.waiting.length <= batchSize ? this.waiting : this.waiting.slice(0, batchSize);
    this.waiting = batch === this.waiting ? [] : this.waiting.slice(batchSize);
    this.isRunning = true;
    const startNext = (): void => {
      this.isRunning = false;
      if (this.waiting.length > 0) this.startBatch();
    };
    const startedAt = performance.now();
    this.execute(batch).then(
      (results) => {
        this.publish('success', batch.length, startedAt);
        batch.forEach((waiter, index) => waiter.resolve(results[index] as Result));
        startNext();
      },
      (error: unknown) => {
        this.publish('failure', batch.length, startedAt);
        if (this.options.isolates(error)) {
          void this.isolate(batch, error).finally(startNext);
        } else {
          this.fail(batch, error);
          startNext();
        }
      },
    );
  }

  private execute(batch: readonly Waiter<Request, Result>[]): Promise<readonly Result[]> {
    const work = (): Promise<readonly Result[]> => this.run(batch.map(({ request }) => request));
    if (!batchOperations.hasObserver) return work();
    const stores = batch.map(({ store }) => store);
    return batchOperations.run({ statement: this.options.statement, stores }, work);
  }

  private publish(outcome: BatchEvent['outcome'], size: number, startedAt: number): void {
    if (!batchEvents.hasSubscribers) return;
    const milliseconds = performance.now() - startedAt;
    batchEvents.publish({ statement: this.options.statement, size, milliseconds, outcome });
  }

  /** Runs the requests of a failed batch one at a time. The error may belong to one of them alone. */
  private async isolate(batch: readonly Waiter<Request, Result>[], cause: unknown): Promise<void> {
    if (batch.length === 1) {
      batch[0]?.reject(cause);
      return;
    }
    for (const waiter of batch) {
      try {
        const [result] = await this.execute([waiter]);
        waiter.resolve(result as Result);
      } catch (error) {
        if (this.options.isolates(error)) waiter.reject(error);
        else this.fail([waiter], error);
      }
    }
  }

  private fail(batch: readonly Waiter<Request, Result>[], error: unknown): void {
    const failed = [...batch, ...this.waiting];
    this.waiting = [];
    for (const waiter of failed) waiter.reject(error);
  }
}
