import { describe, expect, test } from '@jest/globals';
import { BlockCache } from './block-cache.js';

const THRESHOLD = 3;
const limit = (key: string, threshold = THRESHOLD) => ({ key, threshold });
const lasting = (remaining: number) => ({ failures: THRESHOLD, remaining });

describe('the cache of blocks', () => {
  test.each([
    ['nothing for an unknown key', 'b', 10, undefined],
    ['a key until its block ends', 'a', 10, 990],
    ['a key in the last moment of its block', 'a', 999, 1],
    ['nothing once the block has ended', 'a', 1_000, undefined],
  ])('returns %s', (_what, key, now, remaining) => {
    const blocked = new BlockCache(10);
    blocked.set('a', lasting(1_000), 0);
    expect(blocked.remaining(limit(key), now)).toBe(remaining);
  });

  test.each([
    [4_999, 55_001],
    [5_000, undefined],
  ])('drops a long block after five seconds: after %i ms', (now, remaining) => {
    const blocked = new BlockCache(10);
    blocked.set('a', lasting(60_000), 0);
    expect(blocked.remaining(limit('a'), now)).toBe(remaining);
  });

  test.each([
    ['lower than it was', 2, 1_000],
    ['what it was', 3, 1_000],
    ['higher than it was', 4, undefined],
  ])(
    'applies an entry where the threshold is %s: as long as the failures reach it',
    (_what, threshold, expected) => {
      const blocked = new BlockCache(10);
      blocked.set('a', lasting(1_000), 0);
      expect(blocked.remaining(limit('a', threshold), 0)).toBe(expected);
    },
  );

  test('replaces an entry by a later one', () => {
    const blocked = new BlockCache(10);
    blocked.set('a', lasting(1_000), 0);
    blocked.set('a', lasting(3_000), 500);
    expect(blocked.remaining(limit('a'), 1_500)).toBe(2_000);
  });

  test('never exceeds its capacity, and evicts the oldest entry', () => {
    const blocked = new BlockCache(3);
    for (const key of ['a', 'b', 'a', 'c', 'd']) blocked.set(key, lasting(1_000), 0);
    expect(['a', 'b', 'c', 'd'].map((key) => blocked.remaining(limit(key), 0))).toEqual([
      1_000,
      undefined,
      1_000,
      1_000,
    ]);
  });
});
