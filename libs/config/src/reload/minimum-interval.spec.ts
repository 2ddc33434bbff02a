import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { withMinimumInterval } from './minimum-interval.js';

const INTERVAL = 60;

test('the first of many calls runs at once, and one run after the interval serves all others', async () => {
  const begun: number[] = [];
  const act = withMinimumInterval(async () => {
    begun.push(performance.now());
    await Promise.resolve();
    return begun.length;
  }, INTERVAL);
  expect(await act()).toBe(1);
  const others: Promise<number>[] = [];
  for (let call = 0; call < 20; call += 1) others.push(act());
  expect(new Set(await Promise.all(others))).toEqual(new Set([2]));
  // Timers may be early by less than a millisecond.
  expect((begun[1] ?? 0) - (begun[0] ?? 0)).toBeGreaterThan(INTERVAL - 2);
});

test('a call during a run is followed by another run', async () => {
  let count = 0;
  const held = Promise.withResolvers<undefined>();
  const act = withMinimumInterval(async () => {
    count += 1;
    await held.promise;
  }, 5);
  const first = act();
  await sleep(10);
  const second = act();
  held.resolve(undefined);
  await Promise.all([first, second]);
  expect(count).toBe(2);
});

test('a failed run does not fail the next one', async () => {
  let count = 0;
  const act = withMinimumInterval(
    () => ((count += 1) === 1 ? Promise.reject(new Error('no')) : Promise.resolve()),
    1,
  );
  await expect(act()).rejects.toThrow('no');
  await act();
});
