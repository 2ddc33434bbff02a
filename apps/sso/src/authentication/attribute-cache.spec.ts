import { beforeEach, describe, expect, test } from '@jest/globals';
import { AttributeCache } from './attribute-cache.js';

const ALICE = { mail: ['alice@example.org'] };

let time: number;
let cache: AttributeCache;

beforeEach(() => {
  time = 1_000;
  cache = new AttributeCache(500, () => time);
});

describe('attributes of a user', () => {
  test('are not those of another user, or of another source', () => {
    cache.keep('hr', 'alice', ALICE);
    expect(cache.find('hr', 'Alice')).toBeUndefined();
    expect(cache.find('staff', 'alice')).toBeUndefined();
    expect(cache.find('hr', 'alice')).toBe(ALICE);
  });

  test('are kept until their time is over, however often they are used', () => {
    cache.keep('hr', 'alice', ALICE);
    time = 1_499;
    expect(cache.find('hr', 'alice')).toBe(ALICE);
    time = 1_500;
    expect(cache.find('hr', 'alice')).toBeUndefined();
  });

  test('are forgotten once the source has no such user', () => {
    cache.keep('hr', 'alice', ALICE);
    cache.keep('hr', 'alice', undefined);
    expect(cache.find('hr', 'alice')).toBeUndefined();
  });

  test('are never kept where the time is zero', () => {
    const none = new AttributeCache(0, () => time);
    none.keep('hr', 'alice', ALICE);
    expect(none.find('hr', 'alice')).toBeUndefined();
  });

  test('are kept of the last users within the bounds of number and size', () => {
    for (let count = 0; count <= 10_000; count += 1) cache.keep('hr', `user ${count}`, ALICE);
    expect(cache.find('hr', 'user 0')).toBeUndefined();
    expect(cache.find('hr', 'user 1')).toBe(ALICE);
    const half = { photo: ['x'.repeat(9_000_000)] };
    cache.keep('hr', 'large', half);
    expect(cache.find('hr', 'large')).toBe(half);
    cache.keep('hr', 'another', { ...half });
    expect(cache.find('hr', 'large')).toBeUndefined();
    cache.keep('hr', 'too large', { photo: ['x'.repeat(17_000_000)] });
    expect(cache.find('hr', 'too large')).toBeUndefined();
  });
});
