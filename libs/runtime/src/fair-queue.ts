import { type Applicant, type TurnLimits, Turns } from './turns.js';

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/** A queue with bounded concurrency and bounded length, in which callers wait in {@link Turns}. */
export class FairQueue {
  private readonly waiting: Turns<Waiter>;
  private running = 0;

  constructor(
    private readonly maxRunning: number,
    limits: TurnLimits,
    private readonly createFullError: () => Error,
  ) {
    this.waiting = new Turns(limits);
  }

  /** Runs `work` when it is its turn. Rejects with the error of `work`, or of `createFullError` where it has no place. */
  async run<T>(applicant: Applicant, work: () => Promise<T>): Promise<T> {
    if (this.running < this.maxRunning) this.running += 1;
    else await this.turnOf(applicant);
    try {
      return await work();
    } finally {
      this.releaseSlot();
    }
  }

  private turnOf(applicant: Applicant): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.add(applicant, { resolve, reject })?.reject(this.createFullError());
    });
  }

  /** Passes the slot on directly, so that no later caller overtakes. */
  private releaseSlot(): void {
    const next = this.waiting.take();
    if (next === undefined) this.running -= 1;
    else next.resolve();
  }
}
