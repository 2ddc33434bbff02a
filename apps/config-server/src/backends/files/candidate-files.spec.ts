import { describe, expect, test } from '@jest/globals';
import { queryOf } from '../environment-backend.conformance.js';
import { environmentFiles, plainFiles } from './candidate-files.js';

// The orders were recorded from Spring Cloud Config 4.3.1 on Spring Boot 3.5.16, with one file for each name.

describe('the files of an environment', () => {
  test('are those of profiles, then of applications, the last first, then of all', () => {
    const files = environmentFiles([''], queryOf('orders,billing', 'p,q'));
    expect(files.filter((_file, index) => index % 3 === 0).map((file) => file.path)).toEqual([
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

  test('are properties before YAML', () => {
    const files = environmentFiles([''], queryOf('application', 'p')).map((file) => file.path);
    expect(files).toEqual([
      'application-p.properties',
      'application-p.yml',
      'application-p.yaml',
      'application.properties',
      'application.yml',
      'application.yaml',
    ]);
  });

  test('are those of the last directory before others, but below those of profiles', () => {
    const files = environmentFiles(['eu', '.', 'us/{label}/'], queryOf('orders', 'p', 'v1'));
    expect(files.filter((_file, index) => index % 6 === 0)).toEqual([
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
    const files = environmentFiles([''], queryOf(applications, profiles));
    const names = ['orders-p', 'application-p', 'orders', 'application'];
    expect(files.filter((_file, index) => index % 3 === 0).map((file) => file.path)).toEqual(
      names.map((name) => `${name}.properties`),
    );
  });
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
    expect(plainFiles([''], { ...queryOf('orders', profiles), path })).toEqual(expected);
  });

  test('are those of the first directory first', () => {
    const query = { ...queryOf('orders', 'q'), path: 't.txt' };
    expect(plainFiles(['eu', '', 'us'], query)).toEqual([
      'eu/t-q.txt',
      'eu/t.txt',
      't-q.txt',
      't.txt',
      'us/t-q.txt',
      'us/t.txt',
    ]);
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
    const ask = () => environmentFiles(searchPaths, queryOf(applications, profiles));
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
    const ask = (): unknown => plainFiles(wide, query);
    expect(ask).toThrow(expect.objectContaining({ code: 'QUERY_TOO_WIDE' }));
  });
});
