import { describe, expect, test } from '@jest/globals';
import { assert, constantFrom, property, string } from 'fast-check';
import { queryOf } from '../environment-backend.conformance.js';
import { completedPatterns, matchesQuery } from './repository-patterns.js';

function matches(patterns: readonly string[], applications: string, profiles: string): boolean {
  return matchesQuery(completedPatterns(patterns), queryOf(applications, profiles));
}

describe('patterns of a repository', () => {
  // The patterns are those of the reference of Spring Cloud Config, "Pattern Matching and Multiple Repositories".
  test.each<[pattern: readonly string[], applications: string, profiles: string, boolean]>([
    [['simple'], 'simple', 'prod', true],
    [['simple'], 'simple', 'prod,eu', true],
    [['simple'], 'simpler', 'prod', false],
    [['simple'], 'not-simple', 'prod', false],
    [['local*'], 'local', 'prod', true],
    [['local*'], 'localhost', 'dev,eu', true],
    [['local*'], 'not-local', 'dev', false],
    [['special*/dev*', '*special*/dev*'], 'special', 'dev', true],
    [['special*/dev*', '*special*/dev*'], 'special', 'development,cloud', true],
    [['special*/dev*', '*special*/dev*'], 'my-special-one', 'dev1', true],
    [['special*/dev*', '*special*/dev*'], 'special', 'prod', false],
    [['*/development', '*/staging'], 'orders', 'staging', true],
    // The end of a pattern with a profile is completed: `*/staging,*`.
    [['*/development', '*/staging'], 'orders', 'staging,cloud', true],
    // A profile matches, and not the list.
    [['*/development', '*/staging'], 'orders', 'cloud,staging', false],
    [['*/development', '*/staging'], 'orders', 'staging2', false],
    // The list matches, and no profile of it alone.
    [['*/cloud,staging'], 'orders', 'cloud,staging', false],
    [['*'], 'orders', 'prod', true],
    [['orders/*'], 'orders', 'prod', true],
    [['orders/prod'], 'orders', 'prod', true],
    [['orders/prod'], 'orders', 'production', false],
    [['team/orders'], 'team/orders', 'prod', false],
    [['team/orders/*'], 'team/orders', 'prod', true],
    [['a'], 'a,b', 'prod', true],
    [['b'], 'a,b', 'prod', false],
    [['Orders'], 'orders', 'prod', false],
    [['order.'], 'orders', 'prod', false],
    [[], 'orders', 'prod', false],
  ])('%j and /%s/%s: %s', (patterns, applications, profiles, expected) => {
    expect(matches(patterns, applications, profiles)).toBe(expected);
  });

  test('without a * match the application alone, whatever its name has', () => {
    const names = string({ unit: constantFrom('a', 'b', '.', '-', '_'), minLength: 1 });
    assert(
      property(names, names, names, (pattern, application, profile) => {
        expect(matches([pattern], application, profile)).toBe(pattern === application);
      }),
    );
  });
});
