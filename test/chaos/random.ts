// Random numbers that a seed repeats.

export class Random {
  constructor(private state: number) {}

  /** Another sequence, which depends on this seed and the name alone. */
  static named(seed: number, name: string): Random {
    let hash = seed;
    for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
    return new Random(hash);
  }

  /** From 0 to below 1. @see Mulberry32 by Tommy Ettinger */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.between(0, values.length - 1)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }

  shuffled<T>(values: readonly T[]): readonly T[] {
    const rest = [...values];
    return values.map(() => rest.splice(this.between(0, rest.length - 1), 1)[0] as T);
  }
}
