import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { servicePattern } from '../matching/service-pattern.js';
import { hasLookAround, javaSyntaxIn, sampleUrls, splitLookAhead } from './unsupported-pattern.js';

describe('sample URLs of a pattern', () => {
  test.each([
    ['no URL', '^(?!a)$', []],
    ['no text at all', '', []],
    ['a back-reference', '^a(b)\\1\\k', ['ab']],
    ['a class that is none', 'a[z-a]b', ['ab']],
    ['a class without any ASCII', 'a[\u00e9]b\\p{Greek}', ['ab']],
    ['a group that does not end', 'a(b', ['b']],
    ['a parenthesis too many', 'a)b', ['ab']],
    [
      'a look-ahead',
      '^https://pay\\.example\\.org/(?!public/|a).*',
      ['https://pay.example.org/x', 'https://pay.example.org/'],
    ],
    ['a look-behind', '^https://a/.*(?<!\\.png)(?<=x)$', ['https://a/x', 'https://a/']],
    ['nested groups in a look-ahead', '^a(?=(b|(?:c)))d', ['ad']],
    ['optional items', '^https?://a(:\\d+)?/x{0,3}', ['https://a:0/x', 'http://a/']],
    ['repeats', '^a{3}(?:bc){2,}d+e{0}', ['aaabcbcde', 'aaabcbcd']],
    ['alternatives', '^(a|b)c(?>d|e)f|g', ['acdf']],
    ['repeated alternatives', '^(a|b{2}|c+)', ['a']],
    ['classes', '^[a-z][b-d][^x]\\d\\w[.]', ['xb00x.']],
    ['quoted text', '^\\Qa.b\\Ec', ['a.bc']],
    ['flags', '(?i)^(?i:a)(?<n>b)', ['ab']],
  ])('%s: %s', (_rule, pattern, samples) => {
    expect(sampleUrls(pattern)).toEqual(samples);
  });

  test('are short, however often a pattern repeats', () => {
    for (const sample of sampleUrls(`${'('.repeat(5)}xy${'){1000}'.repeat(5)}z{1000}`)) {
      expect(sample.length).toBeLessThanOrEqual(2_000);
    }
  });

  test.each(['[\u00e9]', '[^ -~]', '[\u00e9]?', '[\\x{400}]'])(
    'of a pattern full of %s are two at most',
    (token) => {
      const pattern = token.repeat(Math.floor(2_000 / token.length));
      expect(sampleUrls(pattern).length).toBeLessThanOrEqual(2);
    },
  );

  test('exist for any text, two at most', () => {
    const pieces = fc.constantFrom(...'a . ( ) (?! (?<= | [a] [ ] \\d \\ {2} * + ? \\Q'.split(' '));
    fc.assert(
      fc.property(fc.array(pieces), (found) => {
        expect(sampleUrls(found.join('')).length).toBeLessThanOrEqual(2);
      }),
    );
  });

  test('match the pattern, where RE2 accepts it', () => {
    const item = fc.constantFrom(
      'a',
      '\\.',
      '.',
      '[b-d]',
      '\\d+',
      '(e|f)',
      '(g?h)*',
      'i{2,3}',
      '^',
    );
    fc.assert(
      fc.property(fc.array(item, { minLength: 1 }), (items) => {
        const pattern = items.join('').replaceAll('^', '\\^');
        for (const sample of sampleUrls(pattern)) {
          expect(servicePattern(pattern).matches(sample, sample)).toBe(true);
        }
      }),
    );
  });
});

describe('a negative look-ahead is split off', () => {
  test.each([
    ['^https://(?!admin\\.)[^/]+/.*', '^https://admin\\..*', '^https://[^/]+/.*', false],
    ['^https://a/(?!b|c).*', '^https://a/(?:b|c).*', '^https://a/.*', true],
    ['^https://a\\.b/(?!c$).*$', '^https://a\\.b/c$.*', '^https://a\\.b/.*$', true],
    ['^(?!https://a)https://.*', '^https://a.*', '^https://.*', false],
    ['(?i)^a(?!(b)c)(d|e)', '(?i)^a(b)c.*', '(?i)^a(d|e)', false],
    // The position of the look-ahead is not fixed: Java allows /pay/ there.
    ['^x/[a-z]*(?!pay).*', '^x/[a-z]*pay.*', '^x/[a-z]*.*', false],
    ['^x.(?!pay).*', '^x.pay.*', '^x..*', false],
    ['^x?(?!pay).*', '^x?pay.*', '^x?.*', false],
  ])('%s', (pattern, excluded, remaining, isExact) => {
    expect(splitLookAhead(pattern)).toEqual({ excluded, remaining, isExact });
  });

  test('an exact one excludes what the look-ahead does, and nothing else', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab/.') });
    const inner = fc.constantFrom('a', 'b|/', 'a\\.', '[ab]b', 'a*b', 'a$');
    fc.assert(
      fc.property(text, inner, text, (before, left, url) => {
        const literal = before.replaceAll('.', '\\.');
        const pattern = `${literal}(?!${left}).*`;
        const split = splitLookAhead(pattern);
        expect(split?.isExact).toBe(true);
        const matches = (each = '', all = before + url) => servicePattern(each).matches(all, all);
        const isOurs = matches(split?.remaining) && !matches(split?.excluded);
        expect(isOurs).toBe(new RegExp(`^(?:${pattern})$`).test(before + url));
      }),
    );
  });

  test.each([
    ['without one', '^https://.*'],
    ['in a group', '^((?!a)b)'],
    ['before an alternative', '^(?!a)b|c'],
    ['behind an alternative', '^c|(?!a)b'],
    ['twice', '^(?!a)b(?!c)d'],
    ['that does not end', '^(?!a'],
    ['beside a look-behind', '^(?!a)b(?<!c)'],
    ['beside a back-reference', '^(?!a)(b)\\1'],
    ['that is positive', '^(?=a).*'],
    ['beside Java syntax', '^(?!a)[b&&c]'],
  ])('but not %s', (_rule, pattern) => {
    expect(splitLookAhead(pattern)).toBeUndefined();
  });
});

test.each([
  ['(?!a)', true],
  ['(?<=a)', true],
  ['(a)\\1', true],
  ['(?<n>a)\\k<n>', true],
  ['[(?!a)]', false],
  ['\\(?!a', false],
  ['(?:a)', false],
  ['(', false],
])('%s has look-around or a back-reference: %p', (pattern, expected) => {
  expect(hasLookAround(pattern)).toBe(expected);
});

describe('Java reads otherwise than RE2', () => {
  test.each([
    ['an intersection of classes', '[a-z&&[^q]]+', '&&'],
    ['an intersection behind an escape', '[\\]a&&b]', '&&'],
    ['a class in a class', '[a-z[0-9]]+', '[ in a class'],
    ['a class behind a bracket', '[^][a]]', '[ in a class'],
    ['a POSIX class', '[[:alpha:]]', '[ in a class'],
    ['an octal number', 'p\\0141y', '\\01'],
    ['an octal number in a class', '[a\\011]', '\\01'],
    ['a back-reference of two digits', '(a)(b)\\11', '\\11'],
  ])('%s: %s', (_rule, pattern, syntax) => {
    expect(javaSyntaxIn(pattern)).toBe(syntax);
  });

  test.each([
    ['an escaped bracket', '[\\[a\\]]\\['],
    ['escaped ampersands', '[a\\&&b&\\.&]'],
    ['ampersands outside a class', 'a\\?b&&c'],
    ['quoted text', '\\Q[a[b&&c]\\01\\E'],
    ['digits behind a backslash', '\\\\01[\\\\01]'],
    ['numbers in hexadecimal', '\\x41\\x{141}[\\x41]'],
    ['classes side by side', '[]a][b][^c-]\\d1'],
  ])('but not %s: %s', (_rule, pattern) => {
    expect(javaSyntaxIn(pattern)).toBeUndefined();
  });

  test('no pattern without escapes, brackets and doubled ampersands', () => {
    const piece = fc.constantFrom(
      'a',
      '&',
      '[b-d]',
      '[^e&]',
      '\\.',
      '\\d',
      '0',
      '1',
      '(f|g)',
      '.*',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const pattern = pieces.join('');
        expect(javaSyntaxIn(pattern)).toBeUndefined();
        expect(javaSyntaxIn(`${pattern}[${pattern.replaceAll(/[[\]]/g, '')}&&x]`)).toBe('&&');
      }),
    );
  });
});
