// Counts failures in the memory of one process, for servers without a database.
import { LRUCache } from 'lru-cache';
import type { FailureStore, Limit, Limits, Reservation } from './failure-store.js';

interface Window {
  readonly failures: number;
  readonly reserved: number;
  /** By the clock of `performance.now()`. */
  readonly endsAt: number;
}

/** To evict its own key, an attacker needs as many addresses. */
const MAX_KEYS = 100_000;

export class MemoryFailureStore implements FailureStore {
  private readonly windows: LRUCache<string, Window>;

  constructor(
    maxKeys = MAX_KEYS,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.windows = new LRUCache({ max: maxKeys });
  }

  reserve(limits: Limits, window: number): Promise<Reservation> {
    const found = limits.map(({ key, threshold }) => ({ ...this.current(key, window), threshold }));
    const isReserved = found.every((each) => each.failures + each.reserved < each.threshold);
    const blocks = found.filter(({ failures, threshold }) => failures >= threshold);
    const blockedFor = Math.max(0, ...blocks.map(({ endsAt }) => endsAt - this.now()));
    if (isReserved) {
      for (const { key } of limits) {
        const { reserved, ...current } = this.current(key, window);
        this.windows.set(key, { ...current, reserved: reserved + 1 });
      }
    }
    return Promise.resolve({ isReserved, blockedFor });
  }

  settle(
    [address, addressAndName]: Limits,
    window: number,
    isFailure: boolean,
  ): Promise<readonly [number, number]> {
    const settle = (limit: Limit): number => this.settleKey(limit, window, isFailure);
    return Promise.resolve([settle(address), settle(addressAndName)]);
  }

  private settleKey({ key, threshold }: Limit, window: number, isFailure: boolean): number {
    const current = this.current(key, window);
    const failures = current.failures + (isFailure ? 1 : 0);
    const restarts = isFailure && (failures === 1 || failures === threshold);
    const endsAt = restarts ? this.now() + window : current.endsAt;
    this.windows.set(key, { failures, reserved: Math.max(0, current.reserved - 1), endsAt });
    return failures;
  }

  private current(key: string, window: number): Window {
    const current = this.windows.get(key);
    const now = this.now();
    if (current !== undefined && current.endsAt > now) return current;
    return { failures: 0, reserved: 0, endsAt: now + window };
  }
}
