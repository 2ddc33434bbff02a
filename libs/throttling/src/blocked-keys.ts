// Owns what a process remembers of keys the database says are blocked, so that who is blocked costs it no more reads.
import type { Limit } from './attempt-gate.js';
import type { Tally } from './failures.js';

interface Block {
  readonly failures: number;
  /** When it ends; in the milliseconds of the caller's clock, as is all time here. */
  readonly endsAt: number;
  /** When the database has to be asked again. */
  readonly forgottenAt: number;
}

/** However long a block lasts: a row that an administrator removes lifts it everywhere after this time. */
const REMEMBERED = 5_000;

/** At most `capacity` keys; beyond it, the one that was remembered first is forgotten. */
export class BlockedKeys {
  private readonly blocks = new Map<string, Block>();

  constructor(private readonly capacity: number) {}

  /** @param tally of a key with as many failures as its threshold, or more */
  remember(key: string, { failures, remaining }: Tally, now: number): void {
    this.blocks.delete(key);
    for (const [oldest] of this.blocks) {
      if (this.blocks.size < this.capacity) break;
      this.blocks.delete(oldest);
    }
    const forgottenAt = now + Math.min(remaining, REMEMBERED);
    this.blocks.set(key, { failures, endsAt: now + remaining, forgottenAt });
  }

  /** Milliseconds until the block ends; undefined where none is remembered, or of fewer failures than the limit has now. */
  remaining({ key, threshold }: Limit, now: number): number | undefined {
    const block = this.blocks.get(key);
    if (block === undefined || block.failures < threshold) return undefined;
    if (now < block.forgottenAt) return block.endsAt - now;
    this.blocks.delete(key);
    return undefined;
  }
}
