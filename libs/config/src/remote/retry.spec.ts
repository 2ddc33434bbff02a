import { expect, test } from '@jest/globals';
import { logRetry, retryDelay } from './retry.js';

test.each([
  [1, 1_000],
  [2, 1_100],
  [9, 2_000],
])('after attempt %i the delay is %i ms at most, and half of it at least', (attempt, longest) => {
  const schedule = { initialInterval: 1_000, maxInterval: 2_000 };
  const delays = Array.from({ length: 100 }, () => retryDelay(attempt, schedule));
  expect(Math.max(...delays)).toBeLessThanOrEqual(longest);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(longest / 2);
  expect(new Set(delays).size).toBeGreaterThan(1);
});

test.each([
  [1, false, 'warn'],
  [2, false, 'debug'],
  [1, true, 'debug'],
])('attempt %i, by a worker: %s, is logged as %s', (attempt, isWorker, level) => {
  const levels: string[] = [];
  const log = { debug: () => levels.push('debug'), warn: () => levels.push('warn') };
  logRetry(log, { attempt }, 'asking again', isWorker);
  expect(levels).toEqual([level]);
});
