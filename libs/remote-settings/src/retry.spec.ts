import { expect, test } from '@jest/globals';
import { pauseAfter, tellOfRetry } from './retry.js';

test.each([
  [1, 0, 500],
  [1, 1, 1000],
  [2, 1, 1100],
  [8, 1, 1949],
  [9, 1, 2000],
  [1000, 0, 1000],
])('after attempt %i, with %d of chance, the pause is %i ms', (attempt, random, pause) => {
  const schedule = { initialInterval: 1000, maxInterval: 2000 };
  expect(pauseAfter(attempt, schedule, random)).toBe(pause);
});

test('chance makes pauses different', () => {
  const schedule = { initialInterval: 1e9, maxInterval: 1e9 };
  const pauses = Array.from({ length: 10 }, () => pauseAfter(1, schedule));
  expect(new Set(pauses).size).toBeGreaterThan(1);
});

test.each([
  [1, false, 'warn'],
  [2, false, 'debug'],
  [1, true, 'debug'],
])('attempt %i, by a worker: %s, is told as %s', (attempt, isWorker, level) => {
  const told: string[] = [];
  const log = { debug: () => told.push('debug'), warn: () => told.push('warn') };
  tellOfRetry(log, { attempt }, 'asking again', isWorker);
  expect(told).toEqual([level]);
});
