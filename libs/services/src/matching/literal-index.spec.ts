import { describe, expect, test } from '@jest/globals';
import { requiredLiterals } from './literal-index.js';

describe('what a match must contain', () => {
  test.each<[string, readonly (readonly string[])[]]>([
    ['^https://app1\\.example\\.org/.*', [['https://app1.example.org/']]],
    ['HTTPS://App', [['https://app']]],
    ['https?://a', [['http'], ['://a']]],
    ['ab*c+d{2}e{0,1}f{3,}g', [['a'], ['g']]],
    ['a*?bc??d', [['b'], ['d']]],
    ['a{,5}b{x', [['a{,5}b{x']]],
    ['a.b', [['a'], ['b']]],
    ['a[b-c]d', [['a'], ['d']]],
    ['a[]b]c', [['a'], ['c']]],
    ['a[^]b]c', [['a'], ['c']]],
    ['a[[:alpha:]x]c', [['a'], ['c']]],
    ['a[\\]b]c', [['a'], ['c']]],
    ['a(bc)d', [['a'], ['bc'], ['d']]],
    ['a(bc)?d', [['a'], ['d']]],
    ['a(bc)*d', [['a'], ['d']]],
    ['a(bc)+d', [['a'], ['bc'], ['d']]],
    ['a(?:b|cd)e', [['a'], ['b', 'cd'], ['e']]],
    ['a(?P<n>b)(?<m>c)(?i)d(?s:e)f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
    ['(a.bcd|ef.g)', [['bcd', 'ef']]],
    ['ab|cd', [['ab', 'cd']]],
    ['ab|c*', []],
    ['(ab|)c', [['c']]],
    ['((a|b)(c|d)|x)z', [['a', 'b', 'x'], ['z']]],
    ['a\\db\\.c\\/d', [['a'], ['b.c/d']]],
    ['a\\|b\\(c', [['a|b(c']]],
    ['\u00e9ab\u00e9*c', [['ab'], ['c']]],
    ['.*', []],
  ])('%s requires %j', (pattern, required) => {
    expect(requiredLiterals(pattern)).toEqual(required);
  });

  test.each([
    'a\\Qb.c\\E',
    '\\x41bc',
    '\\x{41}bc',
    '\\101',
    '\\pLabc',
    '\\P{Greek}abc',
    'ab(?i){0,2}',
  ])('%s requires nothing, because its syntax is not supported here', (pattern) => {
    expect(requiredLiterals(pattern)).toEqual([]);
  });
});
