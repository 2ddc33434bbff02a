// Counts failures in the memory of one process, for servers without a database.
import { LRUCache } from 'lru-cache';
import type { FailureStore, Limit, Limits, Reservation, Windows } from './failure-store.js';

interface Window {
  readonly name: string;
  readonly failures: number;
  readonly reserved: number;
  /** By the clock of `performance.now()`. */
  readonly endsAt: number;
}

/** To evict its own key, an attacker needs as many addresses. */
const MAX_KEYS = 100_000;

export class MemoryFailureStore implements FailureStore {
  private readonly windows: LRUCache<string, Window>;
  private opened = 0;

  constructor(
    maxKeys = MAX_KEYS,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.windows = new LRUCache({ max: maxKeys });
  }

  reserve(limits: Limits, window: number): Promise<Reservation> {
    const found = limits.map((limit) => ({ ...this.current(limit.key, window), ...limit }));
    if (found.some((each) => each.failures + each.reserved >= each.threshold)) {
      const blocks = found.filter(({ failures, threshold }) => failures >= threshold);
      const blockedFor = Math.max(0, ...blocks.map(({ endsAt }) => endsAt - this.now()));
      return Promise.resolve({ isReserved: false, blockedFor });
    }
    const reserve = ({ key }: Limit): string => {
      const { reserved, ...current } = this.current(key, window);
      this.windows.set(key, { ...current, reserved: reserved + 1 });
      return current.name;
    };
    return Promise.resolve({ isReserved: true, windows: [reserve(limits[0]), reserve(limits[1])] });
  }

  settle(
    limits: Limits,
    window: number,
    windows: Windows,
    isFailure: boolean,
  ): Promise<readonly [number, number]> {
    const settle = (place: 0 | 1): number =>
      this.settleKey(limits[place], window, windows[place], isFailure);
    return Promise.resolve([settle(0), settle(1)]);
  }

  private settleKey(
    { key, threshold }: Limit,
    window: number,
    name: string,
    isFailure: boolean,
  ): number {
    const current = this.current(key, window);
    const failures = current.failures + (isFailure ? 1 : 0);
    const reserved = Math.max(0, current.reserved - (current.name === name ? 1 : 0));
    const restarts = isFailure && (failures === 1 || failures === threshold);
    const endsAt = restarts ? this.now() + window : current.endsAt;
    this.windows.set(key, { ...current, failures, reserved, endsAt });
    return failures;
  }

  private current(key: string, window: number): Window {
    const current = this.windows.get(key);
    const now = this.now();
    if (current !== undefined && current.endsAt > now) return current;
    this.opened += 1;
    return { name: String(this.opened), failures: 0, reserved: 0, endsAt: now + window };
  }
}
