import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS, RE2JSException } from 're2js';
import { compilePattern } from './compiled-pattern.js';
import { countLargeSets, expandedSize } from './pattern-size.js';

/** Instructions of the compiled pattern; undefined for an invalid one. */
function programSize(text: string): number | undefined {
  try {
    return RE2JS.compile(text).programSize();
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}

const PIECES = String.raw`
  a b- . ^ $ \b \pL \p{Greek} \x{1000} \x41 \012 𝒳 \𝒳
  [ab] [^a] []{5}] [[:alpha:]{5}] [\]{5}] [[:] [a [ ] \
  ( ( (?: (?i: (?P<n> ) ) ) | (?i) (?U) (?
  * + ? *? {3} {0} {0,7} {2,}? {1,9} {03} {,3} { }
  \Q \E \Qab\E \Q\E \Q(\E
`;
/** Elements of the syntax in any order: some are valid patterns. */
const pieces = fc
  .array(fc.constantFrom(...PIECES.trim().split(/\s+/)), { maxLength: 12 })
  .map((found) => found.join(''));

const grouped = fc.constantFrom('(', '(?:', '(?i:', '(?i:(?:');
const quantified = fc.constantFrom('*', '+', '?', '{2}', '{9,}', '{0,8}', '{3,7}?');
/** Patterns of which RE2 merges little: alternatives differ in their first letters, repetitions repeat. */
const { pattern: unmerged } = fc.letrec<{ pattern: string; item: string }>((tie) => ({
  pattern: fc.array(tie('item'), { minLength: 1, maxLength: 4 }).map((items) => items.join('')),
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('a', '.', '\\.', '[a-z]', '\\d', '(?:ab|cd)', 'https?://', '\\Q{9}\\E'),
    fc.tuple(grouped, tie('pattern'), quantified).map(([start, inner, times]) => {
      const end = ')'.repeat(start.split('(').length - 1);
      return `${start}x${inner}${end}${times}`;
    }),
  ),
}));

describe('the expanded size of a pattern', () => {
  test('bounds the compiled program: two instructions per item, and three more', () => {
    fc.assert(
      fc.property(fc.oneof(pieces, unmerged), (text) => {
        const size = programSize(text);
        fc.pre(size !== undefined);
        expect(size).toBeLessThanOrEqual(2 * expandedSize(text) + 3);
      }),
      { numRuns: 200 },
    );
  });

  test('is at most five times the compiled program, unless RE2 merges', () => {
    fc.assert(
      fc.property(unmerged, (text) => {
        expect(expandedSize(text)).toBeLessThanOrEqual(5 * (programSize(text) ?? Infinity));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['', 0],
    ['abc', 3],
    ['a{3}', 4],
    ['a{2,}|b{0,3}', 8],
    ['(a){10}', 31],
    ['(?:(?:a{10}){10}){10}', 1_111],
    ['a(?i){10}', 11],
    ['(?:ab)\\Q\\E{10}', 21],
    ['\\Qab{9}\\E{10}', 15],
    ['\\x{1000}', 1],
    ['[]{1000}]', 1],
    ['[[:alpha:]{99}]', 1],
    ['a{,9}{01}', 9],
    ['a\\{9}', 4],
  ])('%s: %d items', (pattern, size) => {
    expect(programSize(pattern)).toBeDefined();
    expect(expandedSize(pattern)).toBe(size);
  });
});

describe('sets that may be large', () => {
  test.each([
    ['[a-z0-9-]\\d\\W', 0],
    ['a-\u00fc|\\\\pL|\\Q\\pL\\E', 0],
    ['\\pL\\P{Greek}[^\\pL\\p{Lu}]', 4],
    ['[a-\u00fc\\x{80}-\\x{ffff}]{20}', 2],
  ])('%s names %d', (pattern, count) => {
    expect(programSize(pattern)).toBeDefined();
    expect(countLargeSets(pattern)).toBe(count);
  });
});

// Each takes RE2 0.2 to 2 seconds.
describe('a pattern that would take long to compile is refused at once', () => {
  test.each([
    ['repeats', 'a{1000}'.repeat(285)],
    ['nested repeats', '(((a{10}){10}){10})'.repeat(105)],
    ['repeats behind flags', 'a{10}(?i){10}(?i){10}'.repeat(95)],
    ['a repeated list', `(?:${'ab|cd|'.repeat(330)}x){1000}`],
    ['repeats nested without end', `${'('.repeat(280)}a${'{999})'.repeat(280)}{0}{1}`],
    ['ranges', '[a-\uffff]'.repeat(400)],
    ['ranges of one class', `[${'a-\\x{10ffff}'.repeat(150)}]`],
    ['Unicode classes', '\\pL|'.repeat(500)],
    ['items that never end', '[[:a'.repeat(500)],
  ])('%s', (_what, pattern) => {
    expect(() => compilePattern(pattern, { ignoreCase: true })).toThrow(
      expect.objectContaining({ code: 'SERVICE_INVALID' }),
    );
  });
});

test('patterns near the limit still compile', () => {
  for (const pattern of ['a{990}', '(?:a{30}){30}', '[a-z\u00a1-\uffff]{900}', '(a|b|c){300}']) {
    expect(compilePattern(pattern, { ignoreCase: true }).programSize()).toBeLessThan(2_000);
  }
});
