// Conformance suite of failure stores; the spec of each store runs it.
import { describe, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import type { FailureStore, Limits } from './failure-store.js';

const WINDOW = 60_000;
const REFUSED = { isReserved: false };

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
  const reserve = (limits = limitsOf()) => current().reserve(limits, WINDOW);
  const settle = (isFailure: boolean, limits = limitsOf()) =>
    current().settle(limits, WINDOW, isFailure);
  const fail = async (times = 1, limits = limitsOf()): Promise<void> => {
    for (let turn = 0; turn < times; turn += 1) {
      expect(await reserve(limits)).toEqual({ isReserved: true, blockedFor: 0 });
      await settle(true, limits);
    }
  };
  const expectBlocked = async (milliseconds: number, limits = limitsOf()): Promise<void> => {
    const { isReserved, blockedFor } = await reserve(limits);
    expect(isReserved).toBe(false);
    expect(blockedFor).toBeLessThanOrEqual(milliseconds);
    expect(blockedFor).toBeGreaterThan(milliseconds - 10_000);
  };

  describe('a window', () => {
    test('counts both keys, each for itself', async () => {
      await fail();
      await reserve(limitsOf('other'));
      expect(await settle(true, limitsOf('other'))).toEqual([2, 1]);
    });

    test('opens with the first failure, which no reservation and no later failure extends', async () => {
      await reserve();
      await settle(false);
      await age(20_000);
      await fail();
      await age(40_001);
      await fail();
      await age(19_999);
      await reserve();
      expect(await settle(true)).toEqual([1, 1]);
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

    test('that has ended takes its reservations along, which settle without harm', async () => {
      await Promise.all([reserve(), reserve(), reserve()]);
      await age(WINDOW);
      await settle(false);
      await fail(2);
      expect(await settle(true)).toEqual([3, 3]);
      await expectBlocked(WINDOW);
    });
  });

  describe('a reservation', () => {
    test.each([
      ['the name', limitsOf('name', 3, 100), limitsOf('other', 3, 100)],
      ['the address', limitsOf('name', 3, 3), undefined],
    ])('is refused where others could fail as often as blocks %s', async (_, limits, admitted) => {
      await fail(1, limits);
      await reserve(limits);
      await reserve(limits);
      expect(await reserve(limits)).toMatchObject({ ...REFUSED, blockedFor: 0 });
      if (admitted) expect((await reserve(admitted)).isReserved).toBe(true);
      await settle(false, limits);
      expect((await reserve(limits)).isReserved).toBe(true);
    });

    test('that is refused counts nothing, for neither key', async () => {
      await fail(3);
      for (let turn = 0; turn < 200; turn += 1) await reserve();
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
      expect(await reserve(limitsOf('name', threshold))).toMatchObject({ isReserved });
    });

    test.each([
      ['the name', 7, 100],
      ['the address', 100, 7],
    ])(
      'is made exactly as often as %s may fail, by any number of callers at once',
      async (_, ...thresholds) => {
        const limits = limitsOf('name', ...thresholds);
        const made = await Promise.all(Array.from({ length: 60 }, () => reserve(limits)));
        expect(made.filter(({ isReserved }) => isReserved)).toHaveLength(7);
        await Promise.all(Array.from({ length: 7 }, () => settle(true, limits)));
        await expectBlocked(WINDOW, limits);
      },
    );
  });
}
