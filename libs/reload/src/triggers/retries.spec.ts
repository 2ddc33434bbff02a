import { expect, test } from '@jest/globals';
import { Retries } from './retries.js';

test('what is refused is tried at pauses that grow to a minute, and begin after the trying', () => {
  let now = 0;
  const retries = new Retries(1_000, () => now);
  const pauses: number[] = [];
  let last = 0;
  while (pauses.length < 9) {
    if (retries.isDue(true)) {
      pauses.push(now - last);
      // It takes a while.
      now += 5_000;
      last = now;
    } else {
      now += 100;
    }
    if (last === now) retries.isDue(true);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000));
});

test('once it is accepted, the pauses begin anew', () => {
  let now = 0;
  const retries = new Retries(1_000, () => now);
  const isDueAfter = (pause: number): boolean => {
    now += pause;
    return retries.isDue(true);
  };
  expect([isDueAfter(0), isDueAfter(1_000), isDueAfter(0), isDueAfter(1_000)]).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(retries.isDue(false)).toBe(false);
  expect([isDueAfter(5_000), isDueAfter(999), isDueAfter(1)]).toEqual([false, false, true]);
});
