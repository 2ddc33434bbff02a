import { describe, expect, test } from '@jest/globals';
import { assert, property, string, tuple } from 'fast-check';
import { closestKey, editDistance, normaliseKey } from './closest-key.js';

const KNOWN = ['sso.base-url', 'sso.port', 'sso.host', 'sso.tickets.tgt.max-lifetime'];

describe('the closest key', () => {
  test.each([
    ['a letter left out', 'sso.por', 'sso.port'],
    ['two letters swapped', 'sso.prot', 'sso.port'],
    ['camel case', 'sso.baseUrl', 'sso.base-url'],
    ['capitals', 'SSO.PORT', 'sso.port'],
    ['underscores', 'sso.base_url', 'sso.base-url'],
    ['a dot for a hyphen', 'sso.base.url', 'sso.base-url'],
    ['camel case deep down', 'sso.tickets.tgt.maxLifetime', 'sso.tickets.tgt.max-lifetime'],
    ['nothing like it', 'sso.completely-different', undefined],
    ['a name that objects have by nature', '__proto__', undefined],
  ])('is found for %s', (_rule, key, meant) => {
    expect(closestKey(key, KNOWN)).toBe(meant);
  });

  test('of a hundred thousand letters is not looked for', () => {
    expect(closestKey('x'.repeat(100_000), KNOWN)).toBeUndefined();
  });

  test('is the key itself where it is known', () => {
    assert(property(string(), (key) => expect(closestKey(key, ['other', key])).toBe(key)));
    expect(closestKey('aAaAaA', ['other', 'aAaAaA'])).toBe('aAaAaA');
  });
});

describe('the edit distance', () => {
  const word = string({ maxLength: 12 });

  test('is nothing between equal texts only', () => {
    assert(property(word, word, (a, b) => expect(editDistance(a, b) === 0).toBe(a === b)));
  });

  test('is the same both ways, and within the lengths', () => {
    assert(
      property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(editDistance(b, a)).toBe(distance);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      }),
    );
  });

  test('grows by one with one letter', () => {
    assert(
      property(tuple(word, word), ([before, after]) => {
        expect(editDistance(before + after, `${before}\u{1}${after}`)).toBe(1);
      }),
    );
  });
});

test('normalising twice changes nothing more', () => {
  assert(
    property(string(), (key) => expect(normaliseKey(normaliseKey(key))).toBe(normaliseKey(key))),
  );
});
