import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.js';
import { equalsInConstantTime, sha256 } from './digest.js';

describe('sha256', () => {
  // @see FIPS 180-4 test vector for "abc"
  test('is the published digest of a known text', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  test('hashes the UTF-8 bytes of any text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const bytes = Buffer.from(text, 'utf8');
        expect(sha256(text)).toEqual(createHash('sha256').update(bytes).digest('hex'));
      }),
    );
  });
});

describe('equalsInConstantTime', () => {
  test.each([
    ['a prefix', 'secret', 'secre'],
    ['another case', 'Secret', 'secret'],
    ['the empty text', 'secret', ''],
    ['a trailing NUL', 'secret', 'secret\0'],
    ['another lone surrogate', 'a\ud800', 'a\ud801'],
    ['a replacement character for a lone surrogate', 'a\ud800', 'a\ufffd'],
    ['another normal form', '\u00e9', 'e\u0301'],
  ])('distinguishes a text from %s', (_what, a, b) => {
    expect(equalsInConstantTime(a, b)).toBe(false);
  });

  test('agrees with === on all texts', () => {
    fc.assert(
      fc.property(anyText(), anyText(), (a, b) => {
        expect(equalsInConstantTime(a, b)).toBe(a === b);
        expect(equalsInConstantTime(a, a.slice())).toBe(true);
      }),
    );
  });
});
