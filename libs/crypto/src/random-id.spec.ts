import { describe, expect, test } from '@jest/globals';
import { randomId } from './random-id.js';

describe('randomId', () => {
  test.each([0, -1, 1.5, 1025, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses the length %p',
    (length) => {
      expect(() => randomId(length)).toThrow(RangeError);
    },
  );

  test.each([1, 22, 43, 1024])('makes exactly %i letters and digits', (length) => {
    expect(randomId(length)).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
  });

  test('never repeats an id, across many refills of its pool', () => {
    const ids = Array.from({ length: 50_000 }, () => randomId(22));
    expect(new Set(ids).size).toBe(ids.length);
  });

  // Without the rejection of the bytes 248 to 255, the letters A to H are 25 % too frequent and the
  // statistic is near 9,000. With 61 degrees of freedom it exceeds 150 once in 10^9 runs.
  test('gives all characters equal probability', () => {
    const counts = new Map<string, number>();
    const draws = 1_000_000;
    for (let drawn = 0; drawn < draws; drawn += 1000) {
      for (const character of randomId(1000)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    const expected = draws / 62;
    const chiSquare = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    );
    expect(counts.size).toBe(62);
    expect(chiSquare).toBeLessThan(150);
  });
});
