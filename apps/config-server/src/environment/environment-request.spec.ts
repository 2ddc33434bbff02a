import type { IncomingMessage } from 'node:http';
import { NotFoundException } from '@nestjs/common';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EnvironmentError } from '../errors/environment-error.js';
import {
  parsePath,
  readEnvironmentRequest,
  type EnvironmentAddress,
  type ParsedPath,
} from './environment-request.js';

function parse(
  path: string,
  useDefaultLabel = false,
): ParsedPath | EnvironmentError | NotFoundException {
  try {
    return parsePath(path, useDefaultLabel);
  } catch (error) {
    if (error instanceof EnvironmentError || error instanceof NotFoundException) return error;
    throw error;
  }
}

function address(name: string, profile: string, label?: string): EnvironmentAddress {
  const [applications, profiles] = [name.split(','), profile.split(',')];
  return { name, profile, applications, profiles, label };
}

describe('environments', () => {
  test.each([
    ['/orders/prod', address('orders', 'prod')],
    ['/orders,billing/dev,prod', address('orders,billing', 'dev,prod')],
    ['/orders/prod/main', address('orders', 'prod', 'main')],
    ['/a(_)b,c/prod/feature(_)x', address('a/b,c', 'prod', 'feature/x')],
    ['/a%28_%29b/pr%6Fd', address('a/b', 'prod')],
    ['/orders/prod/nginx.conf', address('orders', 'prod', 'nginx.conf')],
    ['/orders/prod/x-y.yml', address('orders', 'prod', 'x-y.yml')],
    ['/actuator/env', address('actuator', 'env')],
    ['/orders/1.2', address('orders', '1.2')],
    ['/orders/prod/-x', address('orders', 'prod', '-x')],
  ])('%s', (path, expected) => {
    expect(parse(path)).toEqual({ form: 'environment', address: expected });
  });
});

describe('flattened forms: the last hyphen splits', () => {
  test.each([
    ['/orders-prod.yml', 'yml', address('orders', 'prod')],
    ['/orders-prod.yaml', 'yml', address('orders', 'prod')],
    ['/my-orders-prod.properties', 'properties', address('my-orders', 'prod')],
    ['/orders-dev,prod.json', 'json', address('orders', 'dev,prod')],
    ['/orders-1.2.yml', 'yml', address('orders', '1.2')],
    ['/main/orders-prod.yml', 'yml', address('orders', 'prod', 'main')],
    ['/feature(_)x/a(_)b-prod.json', 'json', address('a/b', 'prod', 'feature/x')],
  ])('%s', (path, format, expected) => {
    expect(parse(path)).toEqual({ form: 'flattened', format, address: expected });
  });
});

describe('files', () => {
  test.each([
    ['/orders/prod/main/nginx.conf', false, 'nginx.conf', 'main'],
    ['/orders/prod/main/sub/de%20ep.txt', false, 'sub/de ep.txt', 'main'],
    ['/orders/prod/main/caf%C3%A9(_).txt', false, 'café(_).txt', 'main'],
    ['/orders/prod/nginx.conf', true, 'nginx.conf', undefined],
    ['/orders/prod/sub/deep.txt', true, 'sub/deep.txt', undefined],
  ])('%s', (path, useDefaultLabel, file, label) => {
    const expected = { form: 'file', path: file, address: address('orders', 'prod', label) };
    expect(parse(path, useDefaultLabel)).toEqual(expected);
  });
});

describe('has nothing at', () => {
  test.each([
    '/',
    '//',
    '/orders',
    '/orders/',
    '/orders/prod/',
    '/orders//prod',
    '//orders/prod',
    '*',
    'http://host/orders/prod',
    '/orders.yml',
    '/orders-prod.xml',
    '/-prod.yml',
    '/orders-.yml',
    '/favicon.ico',
    '/orders/prod.yml',
    '/orders/prod.json.bak',
    '/orders/prod/main//etc/passwd',
    '/orders/prod/main/sub/',
    // They belong to other routes.
    '/encrypt/status',
    '/decrypt/a/b',
    '/key/a/b',
    '/monitor/x',
    '/health/readiness',
    '/key/orders-prod.yml',
    '/actuator/refresh',
  ])('%s', (path) => {
    expect(parse(path)).toBeInstanceOf(NotFoundException);
  });
});

const names = (count: number): string =>
  Array.from({ length: count }, (_, index) => `n${index}`).join(',');

test.each([
  [`/${names(32)}/${names(5)}`, 'PATH_MALFORMED'],
  [`/${names(5)}-${names(32)}.yml`, 'PATH_MALFORMED'],
  [`/${names(12)}/${names(11)}/main/x.conf`, 'PATH_MALFORMED'],
  [`/${names(32)}/${names(4)}`, undefined],
  [`/${names(8)}-${names(16)}.yml`, undefined],
])('of more than 128 pairs of application and profile, %s is refused: %s', (path, code) => {
  expect((parse(path) as Partial<EnvironmentError>).code).toBe(code);
});

describe('refuses with PATH_MALFORMED names that could lead elsewhere', () => {
  test.each([
    '/../default',
    '/./default',
    '/orders/..',
    '/orders/prod/..',
    '/%2e%2e/default',
    '/..(_)config/default',
    '/(_)etc/default',
    '/a(_)/default',
    '/a(_)(_)b/default',
    '/a(_)..(_)b/default',
    '/a..b/default',
    '/.git/default',
    '/a,.git/default',
    '/a(_).git/default',
    '/a,,b/default',
    '/,/default',
    '/orders/.x',
    '/orders/a(_)b',
    '/orders/prod/..(_)main',
    '/orders/prod/(_)main',
    '/orders/prod/.hidden',
    '/orders/prod/..%252f..%252fetc',
    '/orders/..%2f..%2fetc',
    '/orders/prod/a%2fb',
    '/orders/prod/a%5cb',
    '/orders%00/prod',
    '/or%23ders/default',
    '/orders/prod;x=1',
    '/${user.home}/default',
    '/orders/%24%7Buser.home%7D',
    '/orders/file:%2Ftmp',
    '/orders/a%20b',
    '/caf%C3%A9/default',
    '/%ff/default',
    '/%/default',
    '/%2e%2e%2fconfig-default.yml',
    '/..-default.yml',
    '/.git-default.yml',
    `/${Array.from({ length: 33 }, (_, index) => `a${index}`).join(',')}/default`,
  ])('%s', (path) => {
    expect(parse(path)).toMatchObject({ code: 'PATH_MALFORMED', status: 400 });
  });
});

describe('refuses files that are hidden or lead elsewhere', () => {
  test.each([
    ['../pom.xml', 'PATH_MALFORMED'],
    ['./pom.xml', 'PATH_MALFORMED'],
    ['..%2fpom.xml', 'PATH_MALFORMED'],
    ['%2e%2e/pom.xml', 'PATH_MALFORMED'],
    ['%2e%2e%2fpom.xml', 'PATH_MALFORMED'],
    ['%252e%252e%252fpom.xml', 'PATH_MALFORMED'],
    ['..;/pom.xml', 'PATH_MALFORMED'],
    ['..(_)pom.xml', 'PATH_MALFORMED'],
    ['sub/..%5c..%5cpom.xml', 'PATH_MALFORMED'],
    ['file:%2fetc%2fpasswd', 'PATH_MALFORMED'],
    ['nginx.conf%00.txt', 'PATH_MALFORMED'],
    ['a%0ab', 'PATH_MALFORMED'],
    ['%2fetc%2fpasswd', 'PATH_MALFORMED'],
    ['a..b', 'PATH_MALFORMED'],
    ['.git/config', 'FILE_UNKNOWN'],
    ['sub/.env', 'FILE_UNKNOWN'],
    ['%2egit/config', 'FILE_UNKNOWN'],
  ])('%s: %s', (path, code) => {
    expect(parse(`/orders/prod/main/${path}`)).toMatchObject({ code });
  });
});

describe('whatever the path', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'a',
      'orders',
      '.',
      '..',
      '(_)',
      '%2e',
      '%2f',
      '%252e',
      '%5c',
      '%00',
      ';',
      ',',
      '-',
      '.yml',
    ),
    fc.string({ maxLength: 3 }),
  );
  const path = fc
    .array(fc.oneof(piece, fc.constant('/')), { maxLength: 12 })
    .map((it) => `/${it.join('')}`);

  test('it is refused, or holds nothing that leads elsewhere', () => {
    fc.assert(
      fc.property(path, fc.boolean(), (text, useDefaultLabel) => {
        const parsed = parse(text, useDefaultLabel);
        if (parsed instanceof Error) return;
        const { applications, profiles, label } = parsed.address;
        const paths = [...applications, ...profiles, ...(label ?? 'none').split(',')];
        if (parsed.form === 'file') paths.push(parsed.path);
        for (const segment of paths.flatMap((it) => it.split('/'))) {
          // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
          expect(segment).toMatch(/^[^.\u0000-\u001f\\][^\u0000-\u001f\\]*$/);
          expect(segment).not.toContain('..');
        }
      }),
      { numRuns: 200 },
    );
  });
});

function readUrl(url: string): ReturnType<typeof readEnvironmentRequest> {
  return readEnvironmentRequest({ url } as IncomingMessage);
}

describe('a request', () => {
  test.each([
    ['/orders/prod', 'environment', true],
    ['/orders/prod?', 'environment', true],
    ['/orders-prod.yml?resolvePlaceholders=false', 'flattened', false],
    ['/orders-prod.yml?resolvePlaceholders=true', 'flattened', true],
    ['/orders-prod.yml?resolvePlaceholders=', 'flattened', true],
    ['/orders/prod/main/x.txt', 'file', true],
    ['/orders/prod/x.txt', 'environment', true],
    ['/orders/prod/x.txt?useDefaultLabel', 'file', true],
  ])(
    'for %s is for the form %s; placeholders are resolved: %s',
    (url, form, resolvesPlaceholders) => {
      expect(readUrl(url)).toMatchObject({ target: { form }, resolvesPlaceholders });
    },
  );

  test.each([
    ['/orders/%zz', 'PATH_MALFORMED'],
    ['/orders/prod?resolvePlaceholders=%zz', 'MALFORMED_REQUEST'],
    ['/orders/../x', 'PATH_MALFORMED'],
  ])('for %s is refused each time: %s', (url, code) => {
    const error = expect.objectContaining({ code });
    for (const _time of [1, 2]) expect(() => readUrl(url)).toThrow(error);
  });

  test('is parsed once while it is in the cache', () => {
    const first = readUrl('/orders/dev');
    expect(readUrl('/orders/dev')).toBe(first);
    for (let number = 0; number < 3_000; number += 1) readUrl(`/made-up-${number}/dev`);
    expect(readUrl('/orders/dev')).not.toBe(first);
    expect(readUrl('/orders/dev')).toEqual(first);
  });
});
