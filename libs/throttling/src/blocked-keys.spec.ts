import { describe, expect, test } from '@jest/globals';
import { BlockedKeys } from './blocked-keys.js';

const THRESHOLD = 3;
const limit = (key: string, threshold = THRESHOLD) => ({ key, threshold });
const lasting = (remaining: number) => ({ failures: THRESHOLD, remaining });

describe('blocked keys', () => {
  test.each([
    ['nothing of a key nobody named', 'b', 10, undefined],
    ['a key until its block ends', 'a', 10, 990],
    ['a key in the last moment of its block', 'a', 999, 1],
    ['nothing once the block has ended', 'a', 1_000, undefined],
  ])('remember %s', (_what, key, now, remaining) => {
    const blocked = new BlockedKeys(10);
    blocked.remember('a', lasting(1_000), 0);
    expect(blocked.remaining(limit(key), now)).toBe(remaining);
  });

  test.each([
    [4_999, 55_001],
    [5_000, undefined],
  ])('have a long block asked for again after five seconds: after %i ms', (now, remaining) => {
    const blocked = new BlockedKeys(10);
    blocked.remember('a', lasting(60_000), 0);
    expect(blocked.remaining(limit('a'), now)).toBe(remaining);
  });

  test.each([
    ['lower than it was', 2, 1_000],
    ['what it was', 3, 1_000],
    ['higher than it was', 4, undefined],
  ])(
    'count where the threshold is %s: as long as the failures reach it',
    (_what, threshold, expected) => {
      const blocked = new BlockedKeys(10);
      blocked.remember('a', lasting(1_000), 0);
      expect(blocked.remaining(limit('a', threshold), 0)).toBe(expected);
    },
  );

  test('take over what they are told last', () => {
    const blocked = new BlockedKeys(10);
    blocked.remember('a', lasting(1_000), 0);
    blocked.remember('a', lasting(3_000), 500);
    expect(blocked.remaining(limit('a'), 1_500)).toBe(2_000);
  });

  test('are never more than their capacity: the first forgotten is the first told', () => {
    const blocked = new BlockedKeys(3);
    for (const key of ['a', 'b', 'a', 'c', 'd']) blocked.remember(key, lasting(1_000), 0);
    expect(['a', 'b', 'c', 'd'].map((key) => blocked.remaining(limit(key), 0))).toEqual([
      1_000,
      undefined,
      1_000,
      1_000,
    ]);
  });
});
