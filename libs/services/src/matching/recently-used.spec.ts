import { expect, test } from '@jest/globals';
import { RecentlyUsed } from './recently-used.js';

test('forgets the entry that was not asked for longest', () => {
  const entries = new RecentlyUsed<string, object>(2);
  const [a, b, c] = [{ a: 1 }, { b: 1 }, { c: 1 }];
  entries.set('a', a);
  entries.set('b', b);
  entries.get('a');
  entries.set('c', c);
  expect([entries.get('a'), entries.get('b'), entries.get('c')]).toEqual([a, undefined, c]);
});

test('keeps the last value of a key, and counts it once', () => {
  const entries = new RecentlyUsed<string, object>(2);
  entries.set('a', { old: true });
  entries.set('b', {});
  entries.set('a', { old: false });
  expect(entries.get('a')).toEqual({ old: false });
  expect(entries.get('b')).toEqual({});
});
