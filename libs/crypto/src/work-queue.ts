/**
 * A FIFO queue with bounded concurrency and bounded length. A caller that finds `maxWaiting` others
 * waiting gets the error of `createFullError` at once, so that a flood does not use up memory.
 */
export class WorkQueue {
  private running = 0;
  private readonly waiting: Array<() => void> = [];

  constructor(
    readonly maxRunning: number,
    readonly maxWaiting: number,
    private readonly createFullError: () => Error,
  ) {}

  /** Runs `work` when a slot is free. Rejects with the error of `work` or of `createFullError`. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.maxRunning) {
      this.running += 1;
    } else if (this.waiting.length < this.maxWaiting) {
      await new Promise<void>((turn) => {
        this.waiting.push(turn);
      });
    } else {
      throw this.createFullError();
    }
    try {
      return await work();
    } finally {
      this.releaseSlot();
    }
  }

  /** Passes the slot directly to the longest waiting caller, so that no later one overtakes it. */
  private releaseSlot(): void {
    const turn = this.waiting.shift();
    if (turn) {
      turn();
    } else {
      this.running -= 1;
    }
  }
}
