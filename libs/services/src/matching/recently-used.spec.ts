import { expect, test } from '@jest/globals';
import { RecentlyUsed } from './recently-used.js';

test('keeps what is asked for, and forgets what is not', () => {
  const entries = new RecentlyUsed<string, object>(2);
  const asked = { asked: true };
  entries.set('asked', asked);
  entries.set('not asked', {});
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    expect(entries.get('asked')).toBe(asked);
    entries.set(key, {});
  }
  expect(entries.get('asked')).toBe(asked);
  expect(entries.get('not asked')).toBeUndefined();
});

test('never holds more than two generations', () => {
  const entries = new RecentlyUsed<number, object>(10);
  for (let key = 0; key < 1_000; key += 1) entries.set(key, {});
  const kept = Array.from({ length: 1_000 }, (_, key) => key).filter((key) => key >= 980);
  const found = Array.from({ length: 1_000 }, (_, key) => key).filter(
    (key) => entries.get(key) !== undefined,
  );
  expect(found.length).toBeLessThanOrEqual(20);
  expect(found.every((key) => kept.includes(key))).toBe(true);
});

test('keeps the last value of a key, and counts it once', () => {
  const entries = new RecentlyUsed<string, object>(2);
  entries.set('a', { old: true });
  entries.set('b', {});
  entries.set('a', { old: false });
  expect(entries.get('a')).toEqual({ old: false });
  expect(entries.get('b')).toEqual({});
});

test('gives the last value of a key also where an older one is still there', () => {
  const entries = new RecentlyUsed<string, object>(1);
  entries.set('a', { old: true });
  entries.set('b', {});
  entries.set('a', { old: false });
  expect(entries.get('a')).toEqual({ old: false });
});
