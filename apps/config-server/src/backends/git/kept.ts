// Owns keeping answers that are slow to get, and sharing one that is being got. How many are kept is the cache's affair.
import type { LRUCache } from 'lru-cache';

/** What a question was answered, or is being answered; a failure is forgotten. */
export function kept<V>(
  cache: LRUCache<string, Promise<V>>,
  key: string,
  ask: () => Promise<V>,
): Promise<V> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const answer = ask();
  cache.set(key, answer);
  answer.catch(() => cache.delete(key));
  return answer;
}
