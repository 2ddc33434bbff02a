// Caches blocked keys in a process, so that refusing a blocked caller needs no database read.
import type { FailureCount, Limit } from './failure-store.js';

interface Block {
  readonly failures: number;
  /** In milliseconds of the caller's clock, as all times in this file. */
  readonly endsAt: number;
  readonly cachedUntil: number;
}

/** When an administrator deletes a row, every process lifts the block within this time. */
const MAX_CACHE_MS = 5_000;

/** Holds at most `capacity` keys and evicts the oldest entry. */
export class BlockCache {
  private readonly blocks = new Map<string, Block>();

  constructor(private readonly capacity: number) {}

  /** @param count of a key that has reached its threshold */
  set(key: string, { failures, remaining }: FailureCount, now: number): void {
    this.blocks.delete(key);
    for (const [oldest] of this.blocks) {
      if (this.blocks.size < this.capacity) break;
      this.blocks.delete(oldest);
    }
    const cachedUntil = now + Math.min(remaining, MAX_CACHE_MS);
    this.blocks.set(key, { failures, endsAt: now + remaining, cachedUntil });
  }

  /** Milliseconds until the block ends; undefined without an entry, or with fewer failures than the current threshold. */
  remaining({ key, threshold }: Limit, now: number): number | undefined {
    const block = this.blocks.get(key);
    if (block === undefined || block.failures < threshold) return undefined;
    if (now < block.cachedUntil) return block.endsAt - now;
    this.blocks.delete(key);
    return undefined;
  }
}
