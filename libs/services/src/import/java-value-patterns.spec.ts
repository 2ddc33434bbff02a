// Never laxer than Apereo CAS, which searches values for the patterns joined by `|`. JavaScript stands for Java: for this
// syntax they differ in `\u0085` alone, which ends a line in Java.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newBudget, ValuePatterns } from '../matching/attribute-patterns.js';
import { isOfWholeValue, readValues } from './java-value-patterns.js';

const ATOMS = 'a b K . a* b+ a? (a|b) (?:ab)? [ab] [^a] ^ $ | \\. .* a{2} a{0,2} \\w \\d ( [ { a**';
const PATTERN = fc
  .array(fc.constantFrom(...ATOMS.split(' ')), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''));
/** Among them letters that RE2 folds, and ends of lines. */
const VALUE = fc
  .array(fc.constantFrom(...'abkKB.1\n\r\u212a\u017f\u00e9'), { maxLength: 6 })
  .map((characters) => characters.join(''));
const VALUES = fc.array(PATTERN, { minLength: 1, maxLength: 3 });

/** As Apereo CAS: a search for one of the patterns; exactly, where they are no regular expression. */
function finds(patterns: readonly string[], value: string, ignoresCase: boolean): boolean {
  try {
    return new RegExp(`(${patterns.join('|')})`, ignoresCase ? 'i' : '').test(value);
  } catch {
    return patterns.includes(value);
  }
}

const judge = (patterns: readonly string[], value: string) =>
  new ValuePatterns(patterns).judge(value, newBudget());

describe('for random patterns and values', () => {
  test('a required value that satisfies us satisfies Apereo CAS', () => {
    fc.assert(
      fc.property(VALUES, VALUE, fc.boolean(), (patterns, value, ignoresCase) => {
        const read = readValues(patterns, { ignoresCase, matchesParts: false });
        const isSatisfied = 'patterns' in read && judge(read.patterns, value) === 'match';
        expect(isSatisfied && !finds(patterns, value, ignoresCase)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a value that Apereo CAS rejects is rejected', () => {
    fc.assert(
      fc.property(VALUES, VALUE, fc.boolean(), (patterns, value, ignoresCase) => {
        const read = readValues(patterns, { ignoresCase, matchesParts: true });
        const escapes = 'patterns' in read && judge(read.patterns, value) === 'no match';
        expect(escapes && finds(patterns, value, ignoresCase)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});

test.each<[string, boolean]>([
  ['^a$', true],
  ['.*a.*', true],
  ['^a.*', true],
  ['(?i)^a$', true],
  ['.*', true],
  ['a', false],
  ['^a', false],
  ['a$', false],
  ['^a\\$', false],
  ['^a|b$', false],
  ['', false],
])('%s is of the whole value: %s', (pattern, expected) => {
  expect(isOfWholeValue(pattern)).toBe(expected);
});
