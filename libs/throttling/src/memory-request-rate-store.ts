// Counts requests in the memory of this process.
import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';

type Increment = ThrottlerStorage['increment'];

/** Clients beyond these share the memory: the one that was idle longest is forgotten. */
const MAX_CLIENTS = 100_000;

interface Window {
  requests: number;
  readonly endsAt: number;
}

/** Fixed windows: the first request opens one, and requests above the current limit are refused until it ends. */
export class MemoryRequestRateStore implements ThrottlerStorage {
  private readonly windows = new LRUCache<string, Window>({ max: MAX_CLIENTS });

  /** @param clock a monotonic clock in milliseconds */
  constructor(private readonly clock = () => performance.now()) {}

  /** @param ttl milliseconds; a shorter one also shortens a window that is open */
  readonly increment: Increment = (key, ttl, limit) => {
    const now = this.clock();
    let window = this.windows.get(key);
    if (window === undefined || window.endsAt <= now || window.endsAt > now + ttl) {
      window = { requests: 0, endsAt: now + ttl };
      this.windows.set(key, window);
    }
    window.requests += 1;
    const timeToExpire = Math.max(1, Math.ceil((window.endsAt - now) / 1_000));
    const isBlocked = window.requests > limit;
    return Promise.resolve({
      totalHits: window.requests,
      timeToExpire,
      isBlocked,
      timeToBlockExpire: isBlocked ? timeToExpire : 0,
    });
  };
}
