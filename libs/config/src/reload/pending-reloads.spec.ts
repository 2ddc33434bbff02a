import { expect, test } from '@jest/globals';
import { PendingReloads, SHUTTING_DOWN } from './pending-reloads.js';
import type { ReloadOutcome } from './reload-outcome.js';

const NOTHING: ReloadOutcome = { changed: [], restart: [] };

test('callers that wait when the shutdown begins are answered at once', async () => {
  const end = new AbortController();
  const pending = new PendingReloads(() => new Promise<never>(() => {}));
  pending.endAt(end.signal);
  const asked = ['a', 'b'].map(pending.reload);
  end.abort();
  expect(await Promise.all(asked)).toEqual([SHUTTING_DOWN, SHUTTING_DOWN]);
});

test.each([
  [
    'the shutdown began before',
    (pending: PendingReloads, end: AbortController) => (end.abort(), pending.endAt(end.signal)),
  ],
  [
    'the shutdown began later',
    (pending: PendingReloads, end: AbortController) => (pending.endAt(end.signal), end.abort()),
  ],
])('no reload starts after that: %s', async (_when, tell) => {
  const reasons: string[] = [];
  const pending = new PendingReloads((reason) => {
    reasons.push(reason);
    return Promise.resolve(NOTHING);
  });
  expect(await pending.reload('a')).toBe(NOTHING);
  tell(pending, new AbortController());
  expect(await pending.reload('b')).toEqual(SHUTTING_DOWN);
  expect(reasons).toEqual(['a']);
});

test('a reload that fails fails its pending', async () => {
  const pending = new PendingReloads(() => Promise.reject(new Error('no')));
  await expect(pending.reload('a')).rejects.toThrow('no');
});
