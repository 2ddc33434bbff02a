import { beforeEach, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import { conformsToFailureStore } from './failure-store.conformance.js';
import type { Limits } from './failure-store.js';
import { MemoryFailureStore } from './memory-failure-store.js';

const MAX_KEYS = 10;
let clock = 0;
let failures: MemoryFailureStore;

beforeEach(() => {
  failures = new MemoryFailureStore(MAX_KEYS, () => clock);
});

conformsToFailureStore(
  () => failures,
  (milliseconds) => {
    clock += milliseconds;
  },
);

test('evicts the key that was used least recently', async () => {
  const fail = async (name: string) => {
    const limits: Limits = [
      { key: sha256('address'), threshold: 99 },
      { key: sha256(name), threshold: 99 },
    ];
    const reservation = await failures.reserve(limits, 1_000);
    if (!reservation.isReserved) throw new Error('nothing was reserved');
    const [, ofName] = await failures.settle(limits, 1_000, reservation.windows, true);
    return ofName;
  };
  await fail('first');
  await fail('second');
  for (let other = 0; other < MAX_KEYS - 3; other += 1) await fail(`other ${other}`);
  expect(await fail('first')).toBe(2);
  await fail('one too many');
  expect([await fail('first'), await fail('second')]).toEqual([3, 1]);
});
