// Runs at most so many pieces of work at once and lets at most so many wait, first come first served.

/**
 * A bounded queue of work.
 *
 * Whoever finds `maxWaiting` others waiting is refused at once with the error of `whenFull`, so that
 * a flood costs its senders an error and not the machine its memory.
 */
export class WorkQueue {
  private running = 0;
  private readonly waiting: Array<() => void> = [];

  constructor(
    readonly maxRunning: number,
    readonly maxWaiting: number,
    private readonly whenFull: () => Error,
  ) {}

  /** Runs `work` when its turn comes; rejects with what `work` throws, or with the error of `whenFull`. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.maxRunning) {
      this.running += 1;
    } else if (this.waiting.length < this.maxWaiting) {
      await new Promise<void>((turn) => {
        this.waiting.push(turn);
      });
    } else {
      throw this.whenFull();
    }
    try {
      return await work();
    } finally {
      this.passOn();
    }
  }

  /** The place of finished work goes straight to the longest waiting, so no newcomer overtakes it. */
  private passOn(): void {
    const turn = this.waiting.shift();
    if (turn) {
      turn();
    } else {
      this.running -= 1;
    }
  }
}
