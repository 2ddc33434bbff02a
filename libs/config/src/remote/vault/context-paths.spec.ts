import { expect, test } from '@jest/globals';
import { contextPaths } from './context-paths.js';

test.each<[string, string, readonly string[], readonly string[]]>([
  ['no profile', 'sso', [], ['sso', 'application']],
  ['a profile', 'sso', ['native'], ['sso/native', 'sso', 'application/native', 'application']],
  [
    'two profiles, the later first',
    'sso',
    ['a', 'b'],
    ['sso/b', 'sso/a', 'sso', 'application/b', 'application/a', 'application'],
  ],
  ['the shared name, once', 'application', ['a'], ['application/a', 'application']],
  [
    'a profile given twice, once',
    'sso',
    ['a', 'a'],
    ['sso/a', 'sso', 'application/a', 'application'],
  ],
])('of %s, the strongest path comes first', (_what, name, profiles, paths) => {
  expect(contextPaths(name, profiles)).toEqual(paths);
});
