import { describe, expect, test } from '@jest/globals';
import { TicketCleaner } from './ticket-cleaner.js';

const INTERVAL = 5;

/** A registry that reports what it is told to, then nothing, and says when it was asked often enough. */
function registry(reports: readonly (number | Error)[]) {
  let calls = 0;
  const waiting: { calls: number; reached: () => void }[] = [];
  return {
    clean: async () => {
      const report = reports[calls] ?? 0;
      calls += 1;
      for (const { calls: wanted, reached } of waiting) if (calls >= wanted) reached();
      await Promise.resolve();
      if (report instanceof Error) throw report;
      return { sessions: report, rotated: false };
    },
    calls: () => calls,
    called: (times: number) =>
      new Promise<void>((reached) => {
        waiting.push({ calls: times, reached });
      }),
  };
}

describe('the ticket cleaner', () => {
  test('cleans again and again, and at once while there is more', async () => {
    const store = registry([1_000, 1_000, 3]);
    const cleaner = new TicketCleaner(store, INTERVAL);
    cleaner.start();
    cleaner.start();
    await store.called(6);
    await cleaner.stop();
  });

  test('goes on after a fault', async () => {
    const store = registry([new Error('database away'), new Error('still away')]);
    const cleaner = new TicketCleaner(store, INTERVAL);
    cleaner.start();
    await store.called(4);
    await cleaner.stop();
  });

  test('does nothing once stopped, however much there is to do', async () => {
    const store = registry(Array.from({ length: 1_000 }, () => 1_000));
    const cleaner = new TicketCleaner(store, INTERVAL);
    cleaner.start();
    await store.called(3);
    await cleaner.stop();
    const calls = store.calls();
    await new Promise((resolve) => {
      setTimeout(resolve, INTERVAL * 5);
    });
    expect(store.calls()).toBe(calls);
  });
});
