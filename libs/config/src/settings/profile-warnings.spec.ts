import { describe, expect, test } from '@jest/globals';
import { profileWarnings } from './profile-warnings.js';

describe('profileWarnings', () => {
  test.each([
    ['prod', 'production'],
    ['Production', 'production'],
    ['prodcution', 'production'],
    ['productions', 'production'],
    ['DEV', 'dev'],
    ['devel', 'dev'],
    ['development', 'dev'],
  ])('suspects that %s was meant to be %s', (name, meant) => {
    expect(profileWarnings(['eu', name])).toEqual([
      `the profile ${name} selects only files of its own: did you mean ${meant}, which has other defaults and rules?`,
    ]);
  });

  test.each([
    [[]],
    [['dev']],
    [['production']],
    [['eu', 'qa', 'pr', 'de', 'web', 'test', 'staging', 'docker', 'preproduction']],
    [['production', 'prod']],
    [['development', 'dev']],
  ])('has none for %j', (active) => {
    expect(profileWarnings(active)).toEqual([]);
  });
});
