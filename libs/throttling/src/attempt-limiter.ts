// Limits concurrent attempts, so that attempts sent together cannot all start before the first one has failed.
import type { Limit } from './failure-store.js';
import { ThrottledError } from './throttled-error.js';

/** Attempts with the same first key share a queue. */
export type Limits = readonly [Limit, ...Limit[]];

/** The failures of each key, in the order of the limits; rejects with ThrottledError where a key is blocked. */
export type FailureReader = () => Promise<readonly number[]>;

/** Waiting attempts in one queue; further ones are refused. */
export const MAX_WAITING = 128;

export class AttemptLimiter {
  private readonly queues = new Map<string, AttemptQueue>();

  /**
   * Runs `attempt`, which counts its own failure. It starts when no key can exceed its threshold, even if every attempt
   * in flight fails. Within one process, failures therefore never exceed the threshold.
   *
   * @throws ThrottledError from `readFailures`, or when too many attempts wait; any error of `readFailures` or `attempt`
   */
  async run<T>(limits: Limits, readFailures: FailureReader, attempt: () => Promise<T>): Promise<T> {
    const [{ key }] = limits;
    const queue = this.queues.get(key) ?? new AttemptQueue();
    this.queues.set(key, queue);
    queue.callers += 1;
    try {
      return await queue.run(limits, readFailures, attempt);
    } finally {
      queue.callers -= 1;
      if (queue.callers === 0) this.queues.delete(key);
    }
  }

  /** The number of queues. */
  get size(): number {
    return this.queues.size;
  }
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

class AttemptQueue {
  callers = 0;
  private readonly inFlight = new Map<string, number>();
  private waiters: Waiter[] = [];
  private releases = 0;

  async run<T>(limits: Limits, readFailures: FailureReader, attempt: () => Promise<T>): Promise<T> {
    try {
      await this.enter(limits, readFailures);
      try {
        return await attempt();
      } finally {
        this.adjustInFlight(limits, -1);
      }
    } finally {
      this.wakeWaiters();
    }
  }

  private async enter(limits: Limits, readFailures: FailureReader): Promise<void> {
    for (;;) {
      const { releases } = this;
      if (await this.tryEnter(limits, readFailures)) return;
      // A release during tryEnter() woke nobody, and may have been the last one.
      if (this.releases === releases) await this.nextRelease();
    }
  }

  /**
   * Takes a slot before it reads the failures. Every earlier attempt is then either in flight or already counted, and
   * later attempts count this slot.
   */
  private async tryEnter(limits: Limits, readFailures: FailureReader): Promise<boolean> {
    const others = limits.map(({ key }) => this.inFlight.get(key) ?? 0);
    const hasRoom = (failed?: readonly number[]): boolean =>
      limits.every(({ threshold }, at) => (others[at] ?? 0) + (failed?.[at] ?? 0) < threshold);
    if (!hasRoom()) return false;
    this.adjustInFlight(limits, 1);
    let isEntered = false;
    try {
      isEntered = hasRoom(await readFailures());
    } catch (error) {
      if (!(error instanceof ThrottledError)) this.rejectWaiters(error);
      throw error;
    } finally {
      if (!isEntered) this.releaseSlot(limits);
    }
    return isEntered;
  }

  /** Attempts that only read may have blocked each other. When the last one leaves, all retry. */
  private releaseSlot(limits: Limits): void {
    this.adjustInFlight(limits, -1);
    if (this.inFlight.size === 0) this.wakeWaiters();
  }

  private nextRelease(): Promise<void> {
    if (this.waiters.length >= MAX_WAITING) throw new ThrottledError(1);
    return new Promise((resolve, reject) => {
      this.waiters.push({ resolve, reject });
    });
  }

  /** All retry in the order in which they came; most find no room and wait again without a read. */
  private wakeWaiters(): void {
    this.releases += 1;
    const waiters = this.waiters;
    this.waiters = [];
    for (const waiter of waiters) waiter.resolve();
  }

  /** Every waiter would wait for the same unavailable store. */
  private rejectWaiters(error: unknown): void {
    const waiters = this.waiters;
    this.waiters = [];
    for (const waiter of waiters) waiter.reject(error);
  }

  private adjustInFlight(limits: Limits, by: 1 | -1): void {
    for (const { key } of limits) {
      const count = (this.inFlight.get(key) ?? 0) + by;
      if (count === 0) this.inFlight.delete(key);
      else this.inFlight.set(key, count);
    }
  }
}
