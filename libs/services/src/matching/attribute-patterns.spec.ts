import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  compiledPatterns,
  literalValue,
  newBudget,
  patternOfValue,
  ValuePatterns,
} from './attribute-patterns.js';

const judge = (patterns: readonly string[], value: string) =>
  new ValuePatterns(patterns).judge(value, newBudget());

describe('it is unknown whether a value matches', () => {
  test.each<[string, string, string]>([
    ['an invalid pattern', '(', 'a'],
    ['a pattern that is too large', 'a{1000}'.repeat(3), 'a'],
    ['a value that would take too long', '(\\pL{0,300}.*){3}', 'a'.repeat(10_000)],
    ['a value of several lines', '.*', 'a\nb'],
    ['a line end of Java', 'a$', 'a\r'],
    ['another line end of Java', '.*', 'a\u0085'],
    ['a vertical tab', '\\S*', '\v'],
    ['a letter that RE2 alone folds', '(?i)staff', '\u017ftaff'],
    ['another one', '(?i)k.*', '\u212a1'],
  ])('for %s', (_rule, pattern, value) => {
    expect(judge([pattern], value)).toBe('unknown');
  });

  test('for the later values of many, where each takes its steps', () => {
    const patterns = new ValuePatterns(['(\\pL{0,100}.*){3}x']);
    const values = Array.from({ length: 100 }, (_, at) => `x${'a'.repeat(200)}${at}`);
    expect(patterns.judgeAny(values, newBudget())).toBe('unknown');
  });
});

describe('a value', () => {
  test.each<[string, string, 'match' | 'no match']>([
    ['staff', 'Staff', 'no match'],
    ['staff', 'staffs', 'no match'],
    ['staff', 'staff\n', 'no match'],
    ['staff', '', 'no match'],
    ['a|b', 'ab', 'no match'],
    ['sta.*', 'xstaff', 'no match'],
    ['^staff$', 'staf', 'no match'],
    ['k', '\u212a', 'no match'],
    ['', 'a', 'no match'],
    ['', '', 'match'],
    ['a\\.b', 'a.b', 'match'],
    ['a\\.b', 'axb', 'no match'],
    ['a.b', 'axb', 'match'],
    ['sta.*', 'staff', 'match'],
    ['(?i)STAFF', 'staff', 'match'],
    ['a|b', 'b', 'match'],
    ['two\nlines', 'two\nlines', 'match'],
    ['cn=(?:hr|it),ou=groups', 'cn=it,ou=groups', 'match'],
  ])('%j on %j: %s', (pattern, value, verdict) => {
    expect(judge([pattern], value)).toBe(verdict);
  });

  test('matches one of several patterns, also beside an invalid one', () => {
    expect(judge(['(', 'x.*', 'staff'], 'staff')).toBe('match');
    expect(judge(['(', 'x.*'], 'xy')).toBe('match');
  });

  test('of many matches, though others are unknown', () => {
    const patterns = new ValuePatterns(['s.*']);
    expect(patterns.judgeAny(['s\nx', 'staff'], newBudget())).toBe('match');
    expect(patterns.judgeAny(['s\nx', 'other'], newBudget())).toBe('unknown');
    expect(patterns.judgeAny([], newBudget())).toBe('no match');
  });

  test('of 2,000 groups is judged within the steps of one decision', () => {
    const patterns = new ValuePatterns(['cn=(?:hr|it)-[a-z]+,ou=groups,dc=example,dc=org']);
    const groups = Array.from(
      { length: 2_000 },
      (_, at) => `cn=g${at},ou=groups,dc=example,dc=org`,
    );
    const wanted = 'cn=it-admins,ou=groups,dc=example,dc=org';
    expect(patterns.judgeAny([...groups, wanted], newBudget())).toBe('match');
  });
});

test('the patterns of a definition are compiled once', () => {
  const patterns = { a: ['x.*'] };
  expect(compiledPatterns(patterns)).toBe(compiledPatterns(patterns));
});

test('the pattern of a value matches that value alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (value, other) => {
      const pattern = patternOfValue(value);
      expect(literalValue(pattern)).toBe(value);
      expect(judge([pattern], other)).toBe(value === other ? 'match' : 'no match');
    }),
  );
});

test.each(['a.', 'a*', '(?i)a', '[a]', '^a', 'a$', '\\d', 'a|b', 'a\\', '\\pL'])(
  '%s stands for more than one value',
  (pattern) => {
    expect(literalValue(pattern)).toBeUndefined();
  },
);
