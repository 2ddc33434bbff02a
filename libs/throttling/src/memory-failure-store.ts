// Counts failures in the memory of one process, for servers without a database.
import type { FailureCount, FailureStore, Limit } from './failure-store.js';

interface Window {
  readonly failures: number;
  /** By the clock of `performance.now()`. */
  readonly endsAt: number;
}

const NONE: FailureCount = { failures: 0, remaining: 0 };

/**
 * Holds at most `capacity` keys and evicts the one whose last failure is the oldest. To evict its own key, an attacker
 * needs `capacity` addresses.
 */
export class MemoryFailureStore implements FailureStore {
  /** In the order of their last failures. */
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly capacity = 100_000,
    private readonly now: () => number = () => performance.now(),
  ) {}

  find(first: string, second: string): Promise<readonly [FailureCount, FailureCount]> {
    return Promise.resolve([this.current(first), this.current(second)]);
  }

  add(first: Limit, second: Limit, window: number): Promise<readonly [FailureCount, FailureCount]> {
    return Promise.resolve([this.increment(first, window), this.increment(second, window)]);
  }

  private increment({ key, threshold }: Limit, window: number): FailureCount {
    const before = this.current(key);
    const failures = before.failures + 1;
    const remaining = failures === 1 || failures === threshold ? window : before.remaining;
    this.windows.delete(key);
    this.windows.set(key, { failures, endsAt: this.now() + remaining });
    if (this.windows.size > this.capacity) this.evictOldest();
    return { failures, remaining };
  }

  private current(key: string): FailureCount {
    const window = this.windows.get(key);
    const remaining = (window?.endsAt ?? 0) - this.now();
    return window === undefined || remaining <= 0 ? NONE : { failures: window.failures, remaining };
  }

  private evictOldest(): void {
    for (const oldest of this.windows.keys()) {
      this.windows.delete(oldest);
      return;
    }
  }
}
