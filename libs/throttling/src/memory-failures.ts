// Owns counts of failures in the memory of one process, for servers that have no database.
import type { Counted, Failures, Tally } from './failures.js';

interface Window {
  readonly failures: number;
  /** By the clock of `performance.now()`. */
  readonly ends: number;
}

const NONE: Tally = { failures: 0, remaining: 0 };

/**
 * Gone with the process, and each process has its own. Of the keys beyond `most` those are forgotten whose last failure
 * is longest ago: who wants to be forgotten needs as many addresses.
 */
export class MemoryFailures implements Failures {
  /** In the order of their last failures. */
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly most = 100_000,
    private readonly now: () => number = () => performance.now(),
  ) {}

  find(first: string, second: string): Promise<readonly [Tally, Tally]> {
    return Promise.resolve([this.tally(first), this.tally(second)]);
  }

  add(first: Counted, second: Counted, window: number): Promise<readonly [Tally, Tally]> {
    return Promise.resolve([this.count(first, window), this.count(second, window)]);
  }

  private count({ key, threshold }: Counted, window: number): Tally {
    const before = this.tally(key);
    const failures = before.failures + 1;
    const remaining = failures === 1 || failures === threshold ? window : before.remaining;
    this.windows.delete(key);
    this.windows.set(key, { failures, ends: this.now() + remaining });
    if (this.windows.size > this.most) this.forgetOldest();
    return { failures, remaining };
  }

  private tally(key: string): Tally {
    const window = this.windows.get(key);
    const remaining = (window?.ends ?? 0) - this.now();
    return window === undefined || remaining <= 0 ? NONE : { failures: window.failures, remaining };
  }

  private forgetOldest(): void {
    for (const oldest of this.windows.keys()) {
      this.windows.delete(oldest);
      return;
    }
  }
}
