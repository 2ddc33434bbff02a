// Owns sharing one statement between callers that arrive while another is under way. Knows nothing of SQL or tickets.

interface Waiter<Request, Result> {
  readonly request: Request;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface CoalescerOptions {
  /** Requests in one batch, at most. */
  readonly batchSize: number;
  /** Whether a batch that failed so may be tried again one request at a time, because nothing of it was done. */
  readonly isolates: (error: unknown) => boolean;
}

/**
 * Runs requests in batches. An idle coalescer starts at once, without waiting a tick; requests that arrive while a
 * batch is under way go together in the next, in the order of their arrival. Where the fault of a batch
 * may be one request's own, each is run alone. Any other fault fails all its callers, and those who wait behind it, with
 * the same error: they have waited for a store that is away, and would only wait as long again.
 */
export class Coalescer<Request, Result> {
  private waiting: Waiter<Request, Result>[] = [];
  private isUnderWay = false;

  constructor(
    private readonly run: (batch: readonly Request[]) => Promise<readonly Result[]>,
    private readonly options: CoalescerOptions,
  ) {}

  submit(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      if (!this.isUnderWay) this.startBatch();
    });
  }

  private startBatch(): void {
    const { batchSize } = this.options;
    const batch =
      this.waiting.length <= batchSize ? this.waiting : this.waiting.slice(0, batchSize);
    this.waiting = batch === this.waiting ? [] : this.waiting.slice(batchSize);
    this.isUnderWay = true;
    const startNext = (): void => {
      this.isUnderWay = false;
      if (this.waiting.length > 0) this.startBatch();
    };
    this.run(batch.map((waiter) => waiter.request)).then(
      (results) => {
        batch.forEach((waiter, index) => waiter.resolve(results[index] as Result));
        startNext();
      },
      (error: unknown) => {
        if (this.options.isolates(error)) {
          void this.isolate(batch, error).finally(startNext);
        } else {
          this.fail(batch, error);
          startNext();
        }
      },
    );
  }

  /** The fault may be one request's own: those who wait have no part in it, nor perhaps the others of the batch. */
  private async isolate(batch: readonly Waiter<Request, Result>[], fault: unknown): Promise<void> {
    if (batch.length === 1) {
      batch[0]?.reject(fault);
      return;
    }
    for (const waiter of batch) {
      try {
        const [result] = await this.run([waiter.request]);
        waiter.resolve(result as Result);
      } catch (error) {
        if (this.options.isolates(error)) waiter.reject(error);
        else this.fail([waiter], error);
      }
    }
  }

  private fail(batch: readonly Waiter<Request, Result>[], error: unknown): void {
    const abandoned = [...batch, ...this.waiting];
    this.waiting = [];
    for (const waiter of abandoned) waiter.reject(error);
  }
}
