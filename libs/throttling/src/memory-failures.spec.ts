import { beforeEach, expect, test } from '@jest/globals';
import { sha256 } from '@tessera/crypto';
import { describeFailures } from './failures.conformance.js';
import { MemoryFailures } from './memory-failures.js';

const MOST = 10;
let clock = 0;
let failures: MemoryFailures;

beforeEach(() => {
  failures = new MemoryFailures(MOST, () => clock);
});

describeFailures(
  () => failures,
  (milliseconds) => {
    clock += milliseconds;
  },
);

test('forgets first whoever has failed longest ago, where there are too many', async () => {
  const count = (name: string) => {
    const key = { key: sha256(name), threshold: 9 };
    return failures.add(key, key, 1_000);
  };
  await count('first');
  await count('second');
  for (let other = 0; other < MOST - 2; other += 1) await count(`other ${other}`);
  await count('first');
  await count('one too many');
  const [first, second] = await failures.find(sha256('first'), sha256('second'));
  expect([first.failures, second.failures]).toEqual([4, 0]);
});
