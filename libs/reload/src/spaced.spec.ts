import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { spaced } from './spaced.js';

const PAUSE = 60;

test('of many calls the first acts, and all others together, after the pause', async () => {
  const begun: number[] = [];
  const act = spaced(async () => {
    begun.push(performance.now());
    await Promise.resolve();
    return begun.length;
  }, PAUSE);
  expect(await act()).toBe(1);
  const others: Promise<number>[] = [];
  for (let call = 0; call < 20; call += 1) others.push(act());
  expect(new Set(await Promise.all(others))).toEqual(new Set([2]));
  // Timers may be early by less than a millisecond.
  expect((begun[1] ?? 0) - (begun[0] ?? 0)).toBeGreaterThan(PAUSE - 2);
});

test('a call while it acts is followed by another time', async () => {
  let count = 0;
  const held = Promise.withResolvers<undefined>();
  const act = spaced(async () => {
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

test('one that fails is no matter of the next one', async () => {
  let count = 0;
  const act = spaced(
    () => ((count += 1) === 1 ? Promise.reject(new Error('no')) : Promise.resolve()),
    1,
  );
  await expect(act()).rejects.toThrow('no');
  await act();
});
