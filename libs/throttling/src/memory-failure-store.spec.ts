import { beforeEach, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import { conformsToFailureStore } from './failure-store.conformance.js';
import { MemoryFailureStore } from './memory-failure-store.js';

const CAPACITY = 10;
let clock = 0;
let failures: MemoryFailureStore;

beforeEach(() => {
  failures = new MemoryFailureStore(CAPACITY, () => clock);
});

conformsToFailureStore(
  () => failures,
  (milliseconds) => {
    clock += milliseconds;
  },
);

test('evicts the key whose last failure is the oldest', async () => {
  const count = (name: string) => {
    const key = { key: sha256(name), threshold: 9 };
    return failures.add(key, key, 1_000);
  };
  await count('first');
  await count('second');
  for (let other = 0; other < CAPACITY - 2; other += 1) await count(`other ${other}`);
  await count('first');
  await count('one too many');
  const [first, second] = await failures.find(sha256('first'), sha256('second'));
  expect([first.failures, second.failures]).toEqual([4, 0]);
});
