import { describe, expect, test } from '@jest/globals';
import { splitArguments } from './settings-arguments.js';

describe('splitArguments', () => {
  test.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['nothing of nothing', [], [], []],
    ['options of commands alone', ['user', 'list', '--json'], [], ['user', 'list', '--json']],
    [
      'settings before and after a command',
      ['--profiles.active=dev', 'user', 'list', '--database.url=x=y'],
      ['--profiles.active=dev', '--database.url=x=y'],
      ['user', 'list'],
    ],
    [
      'a value in the next argument',
      ['--database.url', 'x', 'user'],
      ['--database.url=x'],
      ['user'],
    ],
    ['a key without value at the end', ['user', '--database.url'], ['--database.url'], ['user']],
    ['keys with dashes', ['--sso.base-url=x'], ['--sso.base-url=x'], []],
    [
      'attributes, which have dots in their values',
      ['--attribute', 'mail=a.b@c.d', '--attribute=mail=a.b'],
      [],
      ['--attribute', 'mail=a.b@c.d', '--attribute=mail=a.b'],
    ],
    ['a user name with dots', ['user', 'add', 'a.b'], [], ['user', 'add', 'a.b']],
    [
      'what follows two dashes',
      ['user', 'add', '--', '--a.b=c'],
      [],
      ['user', 'add', '--', '--a.b=c'],
    ],
  ])('takes %s', (_what, argv, settings, rest) => {
    expect(splitArguments(argv)).toEqual({ settings, rest });
  });
});
