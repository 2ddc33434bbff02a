// Conformance suite of failure stores; the spec of each store runs it.
import { describe, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import type { FailureStore, Limits, Windows } from './failure-store.js';

const WINDOW = 60_000;

const limitsOf = (name = 'name', threshold = 3, addressThreshold = 100): Limits => [
  { key: sha256('address'), threshold: addressThreshold },
  { key: sha256(name), threshold },
];

/**
 * @param current returns the store under test, which is empty before each test
 * @param age simulates that so many milliseconds have passed
 */
export function conformsToFailureStore(
  current: () => FailureStore,
  age: (milliseconds: number) => unknown,
): void {
  const tryToReserve = (limits = limitsOf()) => current().reserve(limits, WINDOW);
  const reserve = async (limits = limitsOf()): Promise<Windows> => {
    const reservation = await tryToReserve(limits);
    if (!reservation.isReserved) throw new Error('nothing was reserved');
    return reservation.windows;
  };
  const settle = (isFailure: boolean, windows: Windows, limits = limitsOf()) =>
    current().settle(limits, WINDOW, windows, isFailure);
  const fail = async (times = 1, limits = limitsOf()): Promise<readonly [number, number]> => {
    let failures: readonly [number, number] = [0, 0];
    for (let turn = 0; turn < times; turn += 1) {
      failures = await settle(true, await reserve(limits), limits);
    }
    return failures;
  };
  const expectRefused = async (limits = limitsOf()): Promise<void> => {
    expect(await tryToReserve(limits)).toEqual({ isReserved: false, blockedFor: 0 });
  };
  const expectBlocked = async (milliseconds: number, limits = limitsOf()): Promise<void> => {
    const reservation = await tryToReserve(limits);
    const blockedFor = reservation.isReserved ? 0 : reservation.blockedFor;
    expect(blockedFor).toBeLessThanOrEqual(milliseconds);
    expect(blockedFor).toBeGreaterThan(milliseconds - 10_000);
  };

  describe('a window', () => {
    test('counts both keys, each for itself', async () => {
      await fail();
      expect(await fail(1, limitsOf('other'))).toEqual([2, 1]);
    });

    test('opens with the first failure, which no reservation and no later failure extends', async () => {
      await settle(false, await reserve());
      await age(20_000);
      await fail();
      await age(40_001);
      await fail();
      await age(19_999);
      expect(await fail()).toEqual([1, 1]);
    });

    test('restarts with the failure that reaches the threshold', async () => {
      await fail(2);
      await age(20_000);
      await fail();
      await expectBlocked(WINDOW);
      await age(20_000);
      await expectBlocked(WINDOW - 20_000);
      await age(WINDOW - 20_000);
      await fail(3);
    });

    test('that has ended takes its reservations along; one of them still counts if it fails', async () => {
      const [success, failure] = await Promise.all([reserve(), reserve(), reserve()]);
      await age(WINDOW);
      await settle(false, success);
      await fail(2);
      expect(await settle(true, failure)).toEqual([3, 3]);
      await expectBlocked(WINDOW);
    });

    test('that has ended gives nothing back to the next one', async () => {
      const ended = await Promise.all([reserve(), reserve(), reserve()]);
      await age(WINDOW);
      const present = await Promise.all([reserve(), reserve(), reserve()]);
      await Promise.all(ended.map((windows) => settle(false, windows)));
      await expectRefused();
      await Promise.all(present.map((windows) => settle(false, windows)));
      await reserve();
    });
  });

  describe('a reservation', () => {
    test.each([
      ['the name', limitsOf('name', 3, 100), limitsOf('other', 3, 100)],
      ['the address', limitsOf('name', 3, 3), undefined],
    ])('is refused where others could fail as often as blocks %s', async (_, limits, admitted) => {
      await fail(1, limits);
      const windows = await reserve(limits);
      await reserve(limits);
      await expectRefused(limits);
      if (admitted) await reserve(admitted);
      await settle(false, windows, limits);
      await reserve(limits);
    });

    test('that is refused counts nothing, for neither key', async () => {
      await fail(3);
      for (let turn = 0; turn < 200; turn += 1) await tryToReserve();
      await fail(3, limitsOf('other'));
    });

    test('tells how long the longest block of both keys lasts', async () => {
      const both = limitsOf('name', 3, 5);
      await fail(3, both);
      await age(30_000);
      await fail(2, limitsOf('other', 3, 5));
      await expectBlocked(WINDOW, both);
    });

    test.each([
      ['a lower one', 2],
      ['a higher one', 4],
    ])('goes by the threshold of its call: %s', async (_, threshold) => {
      await fail(2, limitsOf('name', 3));
      if (threshold > 3) await fail(1);
      const isReserved = threshold > 3;
      expect(await tryToReserve(limitsOf('name', threshold))).toMatchObject({ isReserved });
    });

    test.each([
      ['the name', 7, 100],
      ['the address', 100, 7],
    ])(
      'is made exactly as often as %s may fail, by any number of callers at once',
      async (_, ...thresholds) => {
        const limits = limitsOf('name', ...thresholds);
        const tries = await Promise.all(Array.from({ length: 60 }, () => tryToReserve(limits)));
        const made = tries.flatMap((each) => (each.isReserved ? [each.windows] : []));
        expect(made).toHaveLength(7);
        await Promise.all(made.map((windows) => settle(true, windows, limits)));
        await expectBlocked(WINDOW, limits);
      },
    );
  });
}
