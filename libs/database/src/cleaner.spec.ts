import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { configureLogging, loggerFor } from '@tessera/logging';
import { until } from '../../../test/support/until.js';
import { Cleaner } from './cleaner.js';

const INTERVAL = 5;
const log = loggerFor('cleaning');

let lines: string[];
beforeEach(() => {
  lines = [];
  configureLogging({ application: 'test', levels: {}, write: (line) => lines.push(line) });
});
afterEach(() => configureLogging({ application: 'test', levels: {} }));

/** A store that reports these batches, then 0, and counts the calls. */
function batches(reports: readonly (number | Error)[]) {
  const store = {
    calls: 0,
    removeBatch: async () => {
      const report = reports[store.calls] ?? 0;
      store.calls += 1;
      await new Promise(setImmediate);
      if (report instanceof Error) throw report;
      return report;
    },
  };
  return store;
}

function cleanerOf(store: { removeBatch(): Promise<number> }, interval = INTERVAL): Cleaner {
  return new Cleaner({ removeBatch: () => store.removeBatch(), interval, rows: 'tickets', log });
}

describe('a cleaner', () => {
  test('continues at once while there is more, logs the sum, and runs again later', async () => {
    const store = batches([1_000, 1_000, 3, 0, 0]);
    const cleaner = cleanerOf(store);
    cleaner.start();
    cleaner.start();
    await until('it has run again', () => store.calls >= 6);
    await cleaner.stop();
    const logged = lines.map((line) => JSON.parse(line) as object);
    expect(logged).toEqual([
      expect.objectContaining({ removed: 2_003, msg: 'expired tickets removed' }),
    ]);
  });

  test('runs again after an error, and logs it', async () => {
    const store = batches([new Error('database away'), new Error('still away')]);
    const cleaner = cleanerOf(store);
    cleaner.start();
    await until('it has run again', () => store.calls >= 4);
    await cleaner.stop();
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('cleaning expired tickets failed; it is tried again');
  });

  test('waits its interval before the first time', async () => {
    const store = batches([1]);
    const cleaner = cleanerOf(store, 60_000);
    cleaner.start();
    await cleaner.stop();
    expect(store.calls).toBe(0);
  });

  test('does nothing once stopped, however much there is to do', async () => {
    const store = batches(Array.from({ length: 1_000_000 }, () => 1));
    const cleaner = cleanerOf(store);
    cleaner.start();
    await until('it has begun', () => store.calls > 3);
    await cleaner.stop();
    const { calls } = store;
    await sleep(INTERVAL * 5);
    expect(store.calls).toBe(calls);
  });
});
