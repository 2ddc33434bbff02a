// Conformance suite of failure stores; the spec of each store runs it.
import { describe, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import type { Limit, FailureStore, FailureCount } from './failure-store.js';

const WINDOW = 60_000;
const A = sha256('address');
const N = sha256('name');

/**
 * @param current returns the store under test, which is empty before each test
 * @param age simulates that so many milliseconds have passed
 */
export function conformsToFailureStore(
  current: () => FailureStore,
  age: (milliseconds: number) => unknown,
): void {
  const store: FailureStore = {
    find: (first, second) => current().find(first, second),
    add: (first: Limit, second: Limit, window) => current().add(first, second, window),
  };
  const add = (
    threshold = 3,
    addressThreshold = 100,
  ): Promise<readonly [FailureCount, FailureCount]> =>
    store.add({ key: A, threshold: addressThreshold }, { key: N, threshold }, WINDOW);

  describe('counting', () => {
    test('knows nothing of a key that never failed', async () => {
      await add();
      const none = { failures: 0, remaining: 0 };
      expect(await store.find(sha256('x'), sha256('y'))).toEqual([none, none]);
    });

    test('counts both keys, each for itself', async () => {
      await add();
      await store.add({ key: A, threshold: 9 }, { key: sha256('other'), threshold: 9 }, WINDOW);
      expect((await store.find(A, N)).map(({ failures }) => failures)).toEqual([2, 1]);
      expect((await store.find(N, A)).map(({ failures }) => failures)).toEqual([1, 2]);
    });

    test('opens a window with the first failure, which later ones do not stretch', async () => {
      await add();
      await age(20_000);
      const [, { failures, remaining }] = await add();
      expect(failures).toBe(2);
      expect(remaining).toBeLessThanOrEqual(WINDOW - 20_000);
      expect(remaining).toBeGreaterThan(WINDOW - 30_000);
    });

    test('restarts the window with the failure that reaches the threshold, and with no later one', async () => {
      await add();
      await add();
      await age(20_000);
      const [ofAddress, ofName] = await add();
      expect(ofAddress.remaining).toBeLessThanOrEqual(WINDOW - 20_000);
      expect(ofName).toEqual({ failures: 3, remaining: WINDOW });
      await age(20_000);
      const [, late] = await add();
      expect(late.failures).toBe(4);
      expect(late.remaining).toBeLessThanOrEqual(WINDOW - 20_000);
    });

    test('begins at one again when the window has ended', async () => {
      await add();
      await add();
      await age(WINDOW);
      expect((await store.find(A, N)).map(({ failures }) => failures)).toEqual([0, 0]);
      expect(await add()).toEqual([
        { failures: 1, remaining: WINDOW },
        { failures: 1, remaining: WINDOW },
      ]);
    });

    test('loses no failure of many at once', async () => {
      const names = Array.from({ length: 60 }, (_, index) => sha256(`name ${index % 5}`));
      await Promise.all(
        names.map((key) => store.add({ key: A, threshold: 9 }, { key, threshold: 9 }, WINDOW)),
      );
      expect((await store.find(A, names[0]!)).map(({ failures }) => failures)).toEqual([60, 12]);
    });
  });
}
