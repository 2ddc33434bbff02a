import { describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { FailureCleaner } from './failure-cleaner.js';

const INTERVAL = 5;

/** A store that reports what it is told to, then nothing. */
function storeOf(reports: readonly (number | Error)[]) {
  const store = {
    calls: 0,
    async removeExpired(limit: number) {
      const report = reports[store.calls] ?? 0;
      store.calls += 1;
      await Promise.resolve();
      if (report instanceof Error) throw report;
      return Math.min(report, limit);
    },
  };
  return store;
}

describe('the cleaner of failures', () => {
  test.each([
    ['again at once while there is more, and again later', [1_000, 1_000, 3, 0]],
    ['again after a fault', [new Error('database away'), new Error('still away')]],
  ])('cleans %s', async (_what, reports) => {
    const store = storeOf(reports);
    const cleaner = new FailureCleaner(store, INTERVAL);
    cleaner.start();
    cleaner.start();
    await until('it has cleaned often', () => store.calls >= reports.length + 2);
    await cleaner.stop();
  });

  test('waits its interval where a batch was not full', async () => {
    const store = storeOf([999, 999]);
    const cleaner = new FailureCleaner(store, 60_000);
    cleaner.start();
    await cleaner.stop();
    expect(store.calls).toBe(0);
  });

  test('stops in the middle of however much there is to do', async () => {
    const store = storeOf(Array.from({ length: 1_000_000 }, () => 1_000));
    const cleaner = new FailureCleaner(store, INTERVAL);
    cleaner.start();
    // Batches follow each other without a turn of the event loop, unless the store takes one, as a real one does.
    const { removeExpired } = store;
    store.removeExpired = async (limit) => {
      await new Promise(setImmediate);
      return removeExpired(limit);
    };
    await until('it has begun', () => store.calls > 3);
    await cleaner.stop();
    const { calls } = store;
    await new Promise((resolve) => {
      setTimeout(resolve, INTERVAL * 5);
    });
    expect(store.calls).toBe(calls);
  });
});
