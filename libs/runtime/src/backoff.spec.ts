import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { backoffDelay } from './backoff.js';

test.each([
  [1, 250],
  [2, 500],
  [6, 8_000],
  [7, 10_000],
  [2_000, 10_000],
])('after attempt %i the delay is %i ms: it doubles up to the maximum', (attempt, delay) => {
  expect(backoffDelay(attempt, { initial: 250, max: 10_000 })).toBe(delay);
});

test.each([
  [1, 1, 500],
  [1, 0, 1_000],
  [2, 0, 1_100],
  [8, 0, 1_949],
  [9, 0, 2_000],
  [1_000, 1, 1_000],
])(
  'after attempt %i and with random %d, jitter takes the delay to %i ms',
  (attempt, random, delay) => {
    const backoff = { initial: 1_000, max: 2_000, factor: 1.1, jitter: 0.5 };
    expect(backoffDelay(attempt, backoff, random)).toBe(delay);
  },
);

test('jitter spreads delays between the part that is fixed and the maximum', () => {
  const delays = new Set<number>();
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), (attempt) => {
      const delay = backoffDelay(attempt, { initial: 1e9, max: 1e9, jitter: 0.5 });
      delays.add(delay);
      expect(delay).toBeGreaterThanOrEqual(5e8);
      expect(delay).toBeLessThanOrEqual(1e9);
    }),
  );
  expect(delays.size).toBeGreaterThan(1);
});
