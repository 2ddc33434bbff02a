// Rewritten patterns match what java.util.regex matches: the table has the verdicts of Java 17. `UPDATE_PATTERNS=1 npm test --
// <this file>` asks Java again.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readTable, updateTable, verdictsOf } from '../../../test/java-table.js';
import { servicePattern } from '../../matching/service-pattern.js';
import { ServiceError } from '../../service-error.js';
import { javaSyntaxIn } from '../unsupported-pattern.js';
import { rewriteJavaPattern } from './java-pattern.js';

const TABLE = 'java-rewritten.json';

const LETTERS = ['a', 'B', 'q', '/', '.', '7'];
/** All texts of up to three of the letters, and some with rarer characters. */
const TEXTS = [
  ...LETTERS,
  ...LETTERS.flatMap((one) => LETTERS.map((two) => one + two)),
  ...LETTERS.flatMap((one) => LETTERS.flatMap((two) => LETTERS.map((last) => one + two + last))),
  'aaaa',
  'aa/aa',
  'a/b/a',
  '/a//',
  'a b',
  'a\tb',
  'a\u00a0b',
  '\u00e9',
  'aa/',
  'abab',
  '[a]',
  'Z',
  'z',
  '&',
  '-',
  '^',
  ']',
  '\\',
  '_',
  '\u001b',
  'Q',
  'a&&b',
  'https://a.b/',
  'a\u000bb',
  's',
  'k',
];

const IGNORING = { ignoreCase: true };
const rewrite = (text: string) => rewriteJavaPattern(text, IGNORING).pattern;

/** What an import makes of a pattern; undefined where it refuses it. */
function accepted(text: string): string | undefined {
  const pattern = rewrite(text);
  try {
    return servicePattern(pattern) !== undefined && !javaSyntaxIn(pattern) ? pattern : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

const MEMBERS = 'a character class is written with its members';
const NUMBER = 'a character is written by its number in hexadecimal';
const POSSESSIVE =
  'a possessive quantifier is written as a plain one: what follows cannot match earlier';
const ATOMIC = 'an atomic group is written as a plain one: it matches in one way';

const REWRITTEN: readonly (readonly [text: string, pattern: string, ...rules: string[]])[] = [
  ['[a-z&&[^q]]+', '[A-PR-Za-pr-z]+', MEMBERS],
  ['[a-z&&[^q-s]&&[^b]]*', '[AC-PT-Zac-pt-z]*', MEMBERS],
  ['[[a-c]&&b-d]', '[BCbc]', MEMBERS],
  ['[a&&b]', '[^\\x00-\\x{10ffff}]', MEMBERS],
  ['[a-c[7-9]/]+', '[/7-9A-Ca-c]+', MEMBERS],
  ['[a[^b]]', '[^Bb]', MEMBERS],
  ['[[a-c]]', '[A-Ca-c]', MEMBERS],
  ['[\\w&&[^\\d_]]+', '[A-Za-z]+', MEMBERS],
  ['[\\0141/]', '[/Aa]', MEMBERS],
  ['[\\Q]^-\\E]', '[\\-\\]\\^]', MEMBERS],
  [
    '[^\\h/]+',
    '[^\\x{9}\\x{20}/\\x{a0}\\x{1680}\\x{180e}\\x{2000}-\\x{200a}\\x{202f}\\x{205f}\\x{3000}]+',
    MEMBERS,
  ],
  [
    'a\\hb',
    'a[\\x{9}\\x{20}\\x{a0}\\x{1680}\\x{180e}\\x{2000}-\\x{200a}\\x{202f}\\x{205f}\\x{3000}]b',
    MEMBERS,
  ],
  ['a\\vb', 'a[\\x{a}-\\x{d}\\x{85}\\x{2028}\\x{2029}]b', MEMBERS],
  ['a\\Vb', 'a[^\\x{a}-\\x{d}\\x{85}\\x{2028}\\x{2029}]b', MEMBERS],
  ['\\p{Alpha}+/\\p{XDigit}', '[A-Za-z]+/[0-9A-Fa-f]', MEMBERS],
  ['[\\p{Alnum}.]+', '[\\.0-9A-Za-z]+', MEMBERS],
  ['\\P{Alpha}', '[^A-Za-z]', MEMBERS],
  ['\\p{Punct}', '[!-/:-@\\[-`\\{-~]', MEMBERS],
  ['\\p{javaLetter}+', '\\p{L}+', MEMBERS],
  ['\\0141\\x61', 'a\\x61', NUMBER],
  ['\\07\\u0061\\e', '\\x{7}a\\x{1b}', NUMBER],
  ['\\cA|a', '\\x{1}|a', NUMBER],
  ['^a/\\Z', '^a/\\z', 'a whole match ends at the end of the text'],
  ['\\Ga.*', '\\Aa.*', 'a whole match begins at the start of the text'],
  [
    'a\\Rb',
    'a(?:\\r\\n|[\\n-\\r\\x{85}\\x{2028}\\x{2029}])b',
    'a line break is written as its characters',
  ],
  ['(?d)a.*', 'a.*', 'RE2 ends lines as the flag d says'],
  ['(?id)a.*', '(?i)a.*', 'RE2 ends lines as the flag d says'],
  ['(?d:a.)b', '(?:a.)b', 'RE2 ends lines as the flag d says'],
  ['\\P{ASCII}', '[^\\x{0}-\\x{7f}\\x{17f}\\x{212a}]', MEMBERS],
  ['[\u017f\\W]', '[^0-9A-Z_a-z]', MEMBERS],
  ['[\\x{80}-\\x{200}]', '[\\x{80}-\\x{17e}\\x{180}-\\x{200}]', MEMBERS],
  ['[^/]++/.*+', '[^/]+/.*', POSSESSIVE],
  ['a*+b?+', 'a*b?', POSSESSIVE],
  ['a{1,2}+/', 'a{1,2}/', POSSESSIVE],
  ['(a/[^/]++/)*', '(a/[^/]+/)*', POSSESSIVE],
  ['a++|b++$', 'a+|b+$', POSSESSIVE],
  ['\\d++\\Z', '\\d+\\z', POSSESSIVE, 'a whole match ends at the end of the text'],
  ['(?>a|b)+', '(?:a|b)+', ATOMIC],
  ['(?>ab|b|q)a', '(?:ab|b|q)a', ATOMIC],
  ['(?>a\\.b)', '(?:a\\.b)', ATOMIC],
  ['(?>[^/]+)/a', '(?:[^/]+)/a', ATOMIC],
  ['(?>[ab])a', '(?:[ab])a', ATOMIC],
];

test.each(REWRITTEN)('%s is written as %s', (text, pattern, ...rules) => {
  expect(rewriteJavaPattern(text, IGNORING)).toEqual({ pattern, rules });
  expect(accepted(text)).toBe(pattern);
});

describe('a pattern stays as it is', () => {
  test.each([
    [
      'that RE2 reads as Java does',
      '(?i)^https?://(?<host>[^/@]+)\\.example\\.org(:\\d+)?/[\\w.-]*?\\Q.*\\E$',
    ],
    ['with a class that is no other set', '[]a][^]b][a\\-z&]\\x{41}'],
    ['whose case counts in a part', '(?-i)[a-z&&[^q]]'],
    ['with comments', '(?x)[a-z&&[^q]] # text'],
  ])('%s: %s', (_rule, text) => {
    expect(rewriteJavaPattern(text, IGNORING)).toEqual({ pattern: text, rules: [] });
  });

  test.each([
    ['a possessive quantifier that takes what follows', '.*+/'],
    ['one before an optional item', 'a*+/?a'],
    ['one before an optional item that it takes', 'a*+[a/]?'],
    ['one before a group', 'a++(a|b)'],
    ['one at the end of a group', '(a|b++)b'],
    ['one of a group', '(?:ab)++'],
    ['one before a letter in another case', 'a++A'],
    ['an atomic group of which one text begins another', '(?>a|ab)b'],
    ['the same in another case', '(?>a|AB)b'],
    ['an atomic group with an empty text', '(?>a|)a'],
    ['an atomic group that would give back', '(?>a+)a'],
    ['one that is repeated', '(?>a+)*a'],
    ['one that matches as little as it can', '(?>a+?)/'],
    ['a class before which versions of Java differ', '[^a[b]]'],
    ['an intersection before which they differ', '[^a&&b]'],
    ['a mixed operand', '[ab&&[b]a]'],
    ['a class of POSIX', '[[:alpha:]]'],
    ['a class with a Unicode property in a class', '[\\p{Lu}[a]]'],
    ['lower-case letters, where case is ignored', '\\p{Lower}'],
    ['a range to a class', '[a-\\d&&b]'],
    ['a class that does not end', '[a[b]'],
    ['look-ahead', '(?=a)a'],
    ['a back-reference', '(a)\\1'],
    ['half of a pair', '\\ud83d\\ude00'],
    ['a grapheme', '\\X'],
    ['another flag', '(?U)\\w'],
    ['white space and others in one class', '[\\v\\p{Lu}]'],
    ['a class of an empty quotation', '[\\Q\\E]a|b'],
    ['a range from a vertical tab', '[^\\v-A]'],
    ['three signs of an intersection', '[[/ -z]&&&]*+-'],
    ['flags that are repeated', 'a(?d)+'],
    ['the same of another flag', 'a(?m)+'],
    ['an empty quotation that is repeated', 'a{1,2}\\Q\\E{1,2}'],
    ['a character that RE2 reads as the letter s', '\\u017f'],
    ['the same in a class of unknown members', '[\u017f\\p{N}]'],
    ['one that RE2 reads as the letter k', '\u212a'],
  ])('and is refused: %s', (_rule, text) => {
    expect(accepted(text)).toBeUndefined();
  });
});

test.each([
  ['too long', `a*+/${'b'.repeat(2_000)}`],
  ['nested beyond measure', '['.repeat(100_000)],
  ['one before many optional items', `a*+${'b?'.repeat(100)}`],
])('a pattern stays as it is: %s', (_rule, text) => {
  expect(rewriteJavaPattern(text, IGNORING)).toEqual({ pattern: text, rules: [] });
});

test('an intersection of values regards case', () => {
  expect(rewriteJavaPattern('[a-c&&[^B]]', { ignoreCase: false }).pattern).toBe('[a-c]');
  expect(rewriteJavaPattern('(?i)[a-c&&[^B]]', { ignoreCase: false }).pattern).toBe('(?i)[ACac]');
  expect(rewriteJavaPattern('a(?i)[a-c&&[^B]]', { ignoreCase: false }).rules).toEqual([]);
});

/** A piece of a pattern, for Java and for JavaScript. */
type Piece = readonly [java: string, javaScript: string];

const ITEMS: readonly Piece[] = [
  ...['a', 'b', '/', '\\.', '.', '[^/]', '[ab]', '\\d', '(?:a|b)', '(?:a|aq)', '(/a?)'].map(
    (each) => [each, each] as const,
  ),
  ['[a-z&&[^bq]]', '[ac-pr-z]'],
  ['[a[7-9]]', '[a7-9]'],
  ['[\\w&&[^a]]', '[^\\Wa]'],
  ['\\057', '/'],
];
const GREEDY = ['*', '+', '?', '{1,2}'];
const ATOMIC_BODIES = ['a|b', 'ab|b', 'a|ab', 'a+', '[^/]*', 'a\\.', '[ab]', '.+', 'A|aB|q'];

let groups = 0;
/** JavaScript has no atomic groups: a look-ahead is one. */
const atomic = (body: string): string => {
  groups += 1;
  return `(?:(?=(?<g${groups}>${body}))\\k<g${groups}>)`;
};

const ITEM = fc.constantFrom(...ITEMS);
const PIECE: fc.Arbitrary<Piece> = fc.oneof(
  ITEM,
  fc
    .tuple(ITEM, fc.constantFrom(...GREEDY))
    .map(([[java, js], sign]): Piece => [java + sign, js + sign]),
  fc
    .tuple(ITEM, fc.constantFrom(...GREEDY))
    .map(([[java, js], sign]): Piece => [`${java}${sign}+`, atomic(js + sign)]),
  fc.constantFrom(...ATOMIC_BODIES).map((body): Piece => [`(?>${body})`, atomic(body)]),
  fc.constant<Piece>(['|', '|']),
);
const PATTERN = fc
  .array(PIECE, { minLength: 1, maxLength: 4 })
  .map((pieces) => [pieces.map(([java]) => java).join(''), pieces.map(([, js]) => js).join('')]);

test('a pattern that is accepted matches what JavaScript matches', () => {
  const text = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 6 });
  let count = 0;
  fc.assert(
    fc.property(PATTERN, fc.array(text, { minLength: 5 }), ([java = '', js = ''], texts) => {
      const pattern = accepted(java);
      if (pattern === undefined) return;
      count += pattern === java ? 0 : 1;
      const ours = servicePattern(pattern);
      const theirs = new RegExp(`^(?:${js})$`, 'i');
      for (const each of texts) {
        expect([java, each, ours.matches(each, each.toLowerCase())]).toEqual([
          java,
          each,
          theirs.test(each),
        ]);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(count).toBeGreaterThan(200);
});

test('the patterns of the table match what java.util.regex matches', async () => {
  const random = fc.sample(PATTERN, { numRuns: 400, seed: 37 }).map(([java = '']) => java);
  const written = REWRITTEN.map(([text]) => text);
  const patterns = [...written, ...random.filter((each) => accepted(each) !== undefined)];
  if (process.env['UPDATE_PATTERNS'] === '1') await updateTable(TABLE, patterns, TEXTS);
  const table = await readTable(TABLE);
  expect(Object.keys(table)).toEqual(expect.arrayContaining(written));
  const ours = Object.keys(table).map((text) => [text, verdictsOf(rewrite(text), TEXTS)]);
  expect(Object.fromEntries(ours)).toEqual(table);
});
