import { expect, test } from '@jest/globals';
import { MemoryRequestRateStore } from './memory-request-rate-store.js';

let now = 0;
const store = () => new MemoryRequestRateStore(() => now);
const count = (from: MemoryRequestRateStore, key: string, limit: number, ttl = 5_000) =>
  from.increment(key, ttl, limit, ttl, 'default');

test('refuses above the limit until the window that the first request opened ends', async () => {
  const counts = store();
  for (let request = 0; request < 3; request += 1) {
    expect(await count(counts, 'a', 3)).toMatchObject({ isBlocked: false });
    now += 1_000;
  }
  expect(await count(counts, 'a', 3)).toEqual({
    totalHits: 4,
    timeToExpire: 2,
    isBlocked: true,
    timeToBlockExpire: 2,
  });
  expect(await count(counts, 'b', 3)).toMatchObject({ isBlocked: false });
  now += 2_000;
  expect(await count(counts, 'a', 3)).toMatchObject({ totalHits: 1, isBlocked: false });
});

test('a raised limit and a shorter window count at once', async () => {
  const counts = store();
  await count(counts, 'a', 1);
  expect(await count(counts, 'a', 1)).toMatchObject({ isBlocked: true });
  expect(await count(counts, 'a', 9)).toMatchObject({ isBlocked: false });
  expect(await count(counts, 'a', 1, 86_400_000)).toMatchObject({ isBlocked: true });
  expect(await count(counts, 'a', 1, 1_000)).toMatchObject({ totalHits: 1, isBlocked: false });
});
