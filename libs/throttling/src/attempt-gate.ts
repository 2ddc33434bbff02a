// Owns how many attempts may be under way at once, so that those sent together cannot all pass before the first has
// failed. Where failures are counted it does not know.
import { ThrottledError } from './throttled-error.js';

/** A key whose failures are counted, and how many of them are too many. */
export interface Limit {
  readonly key: string;
  readonly threshold: number;
}

/** Attempts with the same first key share a queue. */
export type Limits = readonly [Limit, ...Limit[]];

/** The failures of each key by now, in the order of the limits; rejects with ThrottledError where they are too many. */
export type FailureReader = () => Promise<readonly number[]>;

/** Of one queue; who finds so many waiting is refused. */
export const MAX_WAITING = 128;

export class AttemptGate {
  private readonly lanes = new Map<string, Lane>();

  /**
   * Runs `attempt`, which counts its own failure, as soon as no key can go beyond its threshold even if all that is
   * under way fails. So in one process there are never more failures than the threshold allows.
   *
   * @throws ThrottledError of `failures`, or where too many wait; whatever else `failures` or `attempt` throws
   */
  async run<T>(limits: Limits, failures: FailureReader, attempt: () => Promise<T>): Promise<T> {
    const [{ key }] = limits;
    const lane = this.lanes.get(key) ?? new Lane();
    this.lanes.set(key, lane);
    lane.callers += 1;
    try {
      return await lane.run(limits, failures, attempt);
    } finally {
      lane.callers -= 1;
      if (lane.callers === 0) this.lanes.delete(key);
    }
  }

  /** Queues there are at the moment. */
  get size(): number {
    return this.lanes.size;
  }
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

class Lane {
  callers = 0;
  private readonly underWay = new Map<string, number>();
  private waiters: Waiter[] = [];
  private endings = 0;

  async run<T>(limits: Limits, failures: FailureReader, attempt: () => Promise<T>): Promise<T> {
    try {
      await this.enter(limits, failures);
      try {
        return await attempt();
      } finally {
        this.change(limits, -1);
      }
    } finally {
      this.end();
    }
  }

  private async enter(limits: Limits, failures: FailureReader): Promise<void> {
    for (;;) {
      const { endings } = this;
      if (await this.isLetIn(limits, failures)) return;
      // Who ended while this one looked has called nobody, and may have been the last.
      if (this.endings === endings) await this.nextEnding();
    }
  }

  /**
   * Takes a place first, and reads then. Who came before is in one of both numbers: still under way when the place was
   * taken, or counted before the read. Who comes after counts this one.
   */
  private async isLetIn(limits: Limits, failures: FailureReader): Promise<boolean> {
    const others = limits.map(({ key }) => this.underWay.get(key) ?? 0);
    const isRoom = (failed?: readonly number[]): boolean =>
      limits.every(({ threshold }, at) => (others[at] ?? 0) + (failed?.[at] ?? 0) < threshold);
    if (!isRoom()) return false;
    this.change(limits, 1);
    let isLetIn = false;
    try {
      isLetIn = isRoom(await failures());
    } catch (error) {
      if (!(error instanceof ThrottledError)) this.fail(error);
      throw error;
    } finally {
      if (!isLetIn) this.giveWay(limits);
    }
    return isLetIn;
  }

  /** Those who only looked may have kept each other out: when all have gone, the first to come back finds room. */
  private giveWay(limits: Limits): void {
    this.change(limits, -1);
    if (this.underWay.size === 0) this.end();
  }

  private nextEnding(): Promise<void> {
    if (this.waiters.length >= MAX_WAITING) throw new ThrottledError(1);
    return new Promise((resolve, reject) => {
      this.waiters.push({ resolve, reject });
    });
  }

  /** All look again, in the order in which they came: most find no room, and wait on without a read. */
  private end(): void {
    this.endings += 1;
    const waiters = this.waiters;
    this.waiters = [];
    for (const waiter of waiters) waiter.resolve();
  }

  /** Those who wait would only wait as long again for a store that is away. */
  private fail(error: unknown): void {
    const waiters = this.waiters;
    this.waiters = [];
    for (const waiter of waiters) waiter.reject(error);
  }

  private change(limits: Limits, by: 1 | -1): void {
    for (const { key } of limits) {
      const count = (this.underWay.get(key) ?? 0) + by;
      if (count === 0) this.underWay.delete(key);
      else this.underWay.set(key, count);
    }
  }
}
