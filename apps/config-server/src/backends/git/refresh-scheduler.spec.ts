import { describe, expect, test } from '@jest/globals';
import { RefreshScheduler, refreshDelay } from './refresh-scheduler.js';

/** Fetches that the test ends. */
class Fetches {
  begun = 0;
  atOnce = 0;
  most = 0;
  private end: ((fault?: Error) => void) | undefined;

  readonly fetch = async (): Promise<void> => {
    this.begun += 1;
    this.atOnce += 1;
    this.most = Math.max(this.most, this.atOnce);
    try {
      await new Promise<void>((resolve, reject) => {
        this.end = (fault) => (fault ? reject(fault) : resolve());
      });
    } finally {
      this.atOnce -= 1;
    }
  };

  async finish(fault?: Error): Promise<void> {
    this.end?.(fault);
    await new Promise(setImmediate);
  }
}

describe('refresh scheduler', () => {
  test('shares one following fetch among all callers while one runs', async () => {
    const fetches = new Fetches();
    const refreshing = new RefreshScheduler(fetches.fetch, 0);
    const first = refreshing.now();
    await new Promise(setImmediate);
    const others = [1, 2, 3, 4].map(() => refreshing.now());
    expect(fetches.begun).toBe(1);
    await fetches.finish();
    await first;
    expect(fetches.begun).toBe(2);
    await fetches.finish();
    await Promise.all(others);
    expect([fetches.begun, fetches.most]).toEqual([2, 1]);
  });

  test('begins the following fetch also where the one before it failed, and fails as it fails', async () => {
    const fetches = new Fetches();
    const refreshing = new RefreshScheduler(fetches.fetch, 0);
    const first = refreshing.now();
    first.catch(() => {});
    await new Promise(setImmediate);
    const outcomes = Promise.allSettled([first, refreshing.now()]);
    await fetches.finish(new Error('first'));
    await fetches.finish(new Error('second'));
    expect(await outcomes).toMatchObject([
      { reason: { message: 'first' } },
      { reason: { message: 'second' } },
    ]);
    refreshing.close();
  });

  test('begins nothing once it is closed', async () => {
    const fetches = new Fetches();
    const refreshing = new RefreshScheduler(fetches.fetch, 1);
    const last = refreshing.now();
    await new Promise(setImmediate);
    refreshing.close();
    await fetches.finish();
    await last;
    await expect(refreshing.now()).rejects.toThrow('closed');
    expect(fetches.begun).toBe(1);
  });

  test.each([
    [0, 60_000, 60_000],
    [0, 0, 0],
    [1, 60_000, 1_000],
    [2, 60_000, 2_000],
    [6, 60_000, 32_000],
    [7, 60_000, 60_000],
    [2_000, 60_000, 60_000],
    [1, 500, 500],
    [1, 0, 1_000],
    [9, 0, 60_000],
  ])(
    'after %d failures in a row and with an interval of %d ms waits %d ms',
    (failures, interval, wait) => {
      expect(refreshDelay(failures, interval)).toBe(wait);
    },
  );
});
