// A bounded map that forgets what has not been asked for longest.

/**
 * Keeps two generations, each of at most `capacity` entries. What is asked for moves to the younger; when that is full, it
 * becomes the older, and what was in the older until then is forgotten. Finding a young entry changes nothing.
 */
export class RecentlyUsed<K, V extends object> {
  private younger = new Map<K, V>();
  private older: ReadonlyMap<K, V> = new Map<K, V>();

  constructor(private readonly capacity: number) {}

  get(key: K): V | undefined {
    const young = this.younger.get(key);
    if (young !== undefined) return young;
    const old = this.older.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.younger.size >= this.capacity && !this.younger.has(key)) {
      this.older = this.younger;
      this.younger = new Map();
    }
    this.younger.set(key, value);
  }
}
