// How often a database that is away is tried again. Real ones are in open-postgres-backend.spec.ts.
import { expect, test } from '@jest/globals';
import { pauseAfter } from './late-properties-store.js';

test.each([
  [1, 250],
  [2, 500],
  [6, 8_000],
  [7, 10_000],
  [1_000_000, 10_000],
])('a database is tried again, after %i failures, in %i ms', (failures, pause) => {
  expect(pauseAfter(failures)).toBe(pause);
});
