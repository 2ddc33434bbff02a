import { describe, expect, test } from '@jest/globals';
import { queryOf } from '../environment-backend.conformance.js';
import { searchPathViolation } from '../../settings/search-path-rules.js';
import { searchedDirectories } from './search-paths.js';

const query = queryOf('orders,billing', 'p,q', 'feature/x');

describe('search paths', () => {
  test.each([
    ['the root', [''], ['']],
    ['the root by its dot or slash', ['.', './', '/'], ['']],
    ['a directory', ['eu', './eu/', '/eu', 'us//de'], ['eu/', 'us/de/']],
    ['a pattern, which stays', ['/*/{application}'], ['*/orders/', '*/billing/']],
    ['each application', ['{application}'], ['orders/', 'billing/']],
    ['each profile', ['x-{profile}'], ['x-p/', 'x-q/']],
    ['the label', ['{label}'], ['feature/x/']],
    [
      'each application in each profile',
      ['{profile}/{application}'],
      ['p/orders/', 'p/billing/', 'q/orders/', 'q/billing/'],
    ],
    [
      'each once, where it is named first',
      ['orders', '', '{application}'],
      ['orders/', '', 'billing/'],
    ],
  ])('stand for %s', (_what, searchPaths, directories) => {
    expect(searchedDirectories(searchPaths, query)).toEqual(directories);
  });

  test('stand for nothing without the label they ask for', () => {
    expect(searchedDirectories(['{application}/{label}', 'eu'], queryOf('a', 'p'))).toEqual([
      'eu/',
    ]);
  });

  test('put no value of a request into another', () => {
    const hostile = queryOf('{label}', '$&', 'v1');
    expect(searchedDirectories(['{application}/{profile}'], hostile)).toEqual(['{label}/$&/']);
  });

  test.each([
    ['/../other', 'may hold no name that begins with a dot'],
    ['*/../other', 'may hold no name that begins with a dot'],
    ['.git*', 'may hold no name that begins with a dot'],
    ['../other', 'may hold no name that begins with a dot'],
    ['eu/../../other', 'may hold no name that begins with a dot'],
    ['.git', 'may hold no name that begins with a dot'],
    ['{name}', 'no placeholders but {application}, {profile} and {label}'],
    ['{application', 'no placeholders but'],
    [String.raw`eu\de`, 'may hold no backslash'],
    ['eu\0', 'may hold no backslash'],
  ])('may not be %j', (searchPath, violation) => {
    expect(searchPathViolation(searchPath)).toContain(violation);
  });

  test.each([
    '',
    '.',
    './',
    '/eu',
    '*',
    '**',
    'a?/*b/**',
    '*/{application}',
    'eu',
    './eu/',
    'eu/{label}',
    '{application}-{profile}',
    'a b',
    'ü',
  ])('may be %j', (searchPath) => {
    expect(searchPathViolation(searchPath)).toBeUndefined();
  });
});
