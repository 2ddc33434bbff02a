import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Poller } from './poller.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('the delay runs from the end of one run to the start of the next', async () => {
  const ends: (() => void)[] = [];
  const run = jest.fn(() => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    ends.push(() => resolve(undefined));
    return promise;
  });
  const poller = new Poller(() => 100, run);
  poller.restart();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(run).toHaveBeenCalledTimes(1);
  poller.restart();
  ends.shift()?.();
  await jest.advanceTimersByTimeAsync(99);
  expect(run).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
  poller.stop();
  ends.shift()?.();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(run).toHaveBeenCalledTimes(2);
});

test('a delay of 0 pauses it, and a restart takes the delay of that time', async () => {
  let delay = 0;
  const run = jest.fn(() => Promise.resolve());
  const poller = new Poller(() => delay, run);
  poller.restart();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(run).not.toHaveBeenCalled();
  delay = 86_400_000;
  poller.restart();
  delay = 5;
  poller.restart();
  await jest.advanceTimersByTimeAsync(5);
  expect(run).toHaveBeenCalledTimes(1);
  poller.stop();
});
