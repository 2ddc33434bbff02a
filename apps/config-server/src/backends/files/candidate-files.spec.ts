import { describe, expect, test } from '@jest/globals';
import { queryOf } from '../environment-backend.conformance.js';
import type { EnvironmentQuery } from '../environment-backend.js';
import { environmentFiles, plainFiles } from './candidate-files.js';
import type { SearchedDirectory } from './directory-patterns.js';
import { searchedDirectories } from './search-paths.js';

const ROOT: SearchedDirectory = { path: '' };

function directoriesOf(
  searchPaths: readonly string[],
  query: EnvironmentQuery,
): SearchedDirectory[] {
  return searchedDirectories(searchPaths, query).map((path) => ({ path }));
}

// The orders were recorded from Spring Cloud Config 4.3.1 on Spring Boot 3.5.16, with one file for each name.

describe('the files of an environment', () => {
  test('are those of profiles, then of applications, the last first, then of all', () => {
    const files = environmentFiles([ROOT], queryOf('orders,billing', 'p,q'));
    expect(files.filter((_file, index) => index % 4 === 0).map((file) => file.path)).toEqual([
      'billing-q.properties',
      'orders-q.properties',
      'application-q.properties',
      'billing-p.properties',
      'orders-p.properties',
      'application-p.properties',
      'billing.properties',
      'orders.properties',
      'application.properties',
    ]);
  });

  test('are properties before XML before YAML', () => {
    const files = environmentFiles([ROOT], queryOf('application', 'p')).map((file) => file.path);
    expect(files).toEqual([
      'application-p.properties',
      'application-p.xml',
      'application-p.yml',
      'application-p.yaml',
      'application.properties',
      'application.xml',
      'application.yml',
      'application.yaml',
    ]);
  });

  test('are those of the last directory before others, but below those of profiles', () => {
    const files = environmentFiles(
      ['eu/', '', 'us/v1/'].map((path) => ({ path })),
      queryOf('orders', 'p', 'v1'),
    );
    expect(files.filter((_file, index) => index % 8 === 0)).toEqual([
      { path: 'us/v1/orders-p.properties', directory: 'us/v1/' },
      { path: 'orders-p.properties', directory: '' },
      { path: 'eu/orders-p.properties', directory: 'eu/' },
      { path: 'us/v1/orders.properties', directory: 'us/v1/' },
      { path: 'orders.properties', directory: '' },
      { path: 'eu/orders.properties', directory: 'eu/' },
    ]);
  });

  test.each([
    ['application asked for first', 'application,orders', 'p'],
    ['application asked for last', 'orders,application', 'p'],
    ['an application asked for twice', 'orders,orders', 'p'],
    ['a profile asked for twice', 'orders', 'p,p'],
  ])('are named once, those for all last: %s', (_what, applications, profiles) => {
    const files = environmentFiles([ROOT], queryOf(applications, profiles));
    const names = ['orders-p', 'application-p', 'orders', 'application'];
    expect(files.filter((_file, index) => index % 4 === 0).map((file) => file.path)).toEqual(
      names.map((name) => `${name}.properties`),
    );
  });
});

test('a file of two names has the place of the weaker one', () => {
  const pathsOf = (applications: string): string[] =>
    environmentFiles([ROOT], queryOf(applications, 'dev'))
      .map(({ path }) => path)
      .filter((path) => path.endsWith('.yml'));
  const twice = ['application-dev-dev.yml', 'application-dev.yml', 'application.yml'];
  expect(pathsOf('application-dev')).toEqual(twice);
  expect(pathsOf('orders,orders-dev')).toEqual([
    'orders-dev-dev.yml',
    'application-dev.yml',
    'orders-dev.yml',
    'orders.yml',
    'application.yml',
  ]);
});

test('of a directory that a pattern found, the files that exist are candidates, and count', () => {
  const files = (...names: string[]): ReadonlySet<string> => new Set(names);
  const many = Array.from({ length: 1000 }, (_each, index) => ({
    path: `${index}/`,
    files: files(`app${index}.yml`),
  }));
  const own = { path: 'orders/', files: files('orders.yml', 'orders-dev.yml', 'motd.txt') };
  expect(environmentFiles([...many, own], queryOf('orders', 'dev'))).toEqual([
    { path: 'orders/orders-dev.yml', directory: 'orders/' },
    { path: 'orders/orders.yml', directory: 'orders/' },
  ]);
});

describe('the paths of a plain file', () => {
  test.each([
    ['the profile first', 'p', 't.txt', ['t-p.txt', 't.txt']],
    ['the first profile first', 'p,q,p', 't.txt', ['t-p.txt', 't-q.txt', 't.txt']],
    ['no profile for default', 'default', 't.txt', ['t.txt']],
    ['default passed over', 'default,q', 't.txt', ['t-q.txt', 't.txt']],
    ['the profile last where there is no extension', 'p', 'noext', ['noext-p', 'noext']],
    ['the last extension', 'p', 'a.tar.gz', ['a.tar-p.gz', 'a.tar.gz']],
    ['no extension of a directory', 'p', 'conf.d/x', ['conf.d/x-p', 'conf.d/x']],
    ['a directory', 'p', 'conf.d/x.y', ['conf.d/x-p.y', 'conf.d/x.y']],
  ])('have %s', (_what, profiles, path, expected) => {
    expect(plainFiles([ROOT], { ...queryOf('orders', profiles), path })).toEqual(expected);
  });

  test('are those of the first directory first', () => {
    const query = { ...queryOf('orders', 'q'), path: 't.txt' };
    expect(
      plainFiles(
        ['eu/', '', 'us/'].map((path) => ({ path })),
        query,
      ),
    ).toEqual(['eu/t-q.txt', 'eu/t.txt', 't-q.txt', 't.txt', 'us/t-q.txt', 'us/t.txt']);
  });
});

describe('files are refused with QUERY_TOO_WIDE, and none is looked for, where there are more than 4,096', () => {
  const names = (count: number): string =>
    Array.from({ length: count }, (_each, index) => `n${index}`).join(',');
  const searchPaths = ['', '{application}/{profile}'];

  test.each([
    [names(32), names(4), false],
    [names(11), names(11), false],
    [names(4), names(4), true],
    [names(3), names(8), true],
  ])('%s in %s: may be asked for: %s', (applications, profiles, isFew) => {
    const query = queryOf(applications, profiles);
    const ask = () => environmentFiles(directoriesOf(searchPaths, query), query);
    if (isFew) expect(ask().length).toBeLessThanOrEqual(4096);
    else expect(ask).toThrow(expect.objectContaining({ code: 'QUERY_TOO_WIDE' }));
  });

  test('plain files likewise', () => {
    const wide = [
      '{application}/{profile}',
      '{application}/{profile}/x',
      '{application}/{profile}/y',
    ];
    const query = { ...queryOf(names(11), names(11)), path: 'x.conf' };
    const ask = (): unknown => plainFiles(directoriesOf(wide, query), query);
    expect(ask).toThrow(expect.objectContaining({ code: 'QUERY_TOO_WIDE' }));
  });
});
