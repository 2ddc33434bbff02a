import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { convertService } from '../import/convert-service.js';
import { overlapsWith } from './pattern-overlap.js';

const mayOverlap = (one: string, other: string): boolean => overlapsWith(one)(other);

const FOLDER = join(import.meta.dirname, '../../../../apps/sso/services');
const DEVELOPMENT = readdirSync(FOLDER).flatMap(
  (file) => convertService(readFileSync(join(FOLDER, file), 'utf8')).definition.serviceId ?? [],
);
const PAYROLL = '^https://payroll\\.corp/.*';

describe('patterns that begin with other texts do not overlap', () => {
  test.each([
    'https://wiki\\.corp/.*',
    'http://payroll\\.corp/.*',
    '^https?://(wiki|notes)\\.corp(:8443)?/.*',
    '^https://wiki\\.corp/.*|^https://notes\\.corp/.*',
    '(?i)^https://wiki\\.corp/.*',
    '^https://payroll\\.corp:8443/.*',
    'urn:payroll',
    // The services of profile dev, which must leave room for registrations over REST.
    ...DEVELOPMENT,
  ])('%s', (pattern) => {
    expect([mayOverlap(pattern, PAYROLL), mayOverlap(PAYROLL, pattern)]).toEqual([false, false]);
  });
});

describe('patterns may overlap where they begin with the same text, or with none', () => {
  test.each([
    PAYROLL,
    'HTTPS://PAYROLL.corp/x',
    '.*',
    '^https://.*',
    '^https?://payroll\\.corp(/secret)?',
    'https://wiki\\.corp/|https://payroll\\.corp/secret',
    '(zzz|https://payroll\\.corp/secret.*)',
    '^https://(payroll|wiki)\\.corp/.*',
    '^https://[a-z]+\\.corp/.*',
    '(?s).+',
    'h+ttps://payroll\\.corp/',
    '(h){1}ttps://payroll\\.corp/',
    '\\Qhttps://payroll.corp/\\E',
    '\\x68ttps://payroll\\.corp/',
    'http\u017f://payroll\\.corp/',
    'https://payroll.corp/',
    '()https://payroll\\.corp/',
    '|x',
    '',
  ])('%j', (pattern) => {
    expect([mayOverlap(pattern, PAYROLL), mayOverlap(PAYROLL, pattern)]).toEqual([true, true]);
  });
});

describe('patterns of one URL in two spellings overlap', () => {
  test.each([
    ['https://\u00dcmlaut\\.corp/', 'https://\u00fcmlaut\\.corp/'],
    ['https://b\u00fccher\\.corp/', 'https://xn--bcher-kva\\.corp/'],
    ['https://b\u00fccher\\.[a-z]+/', 'https://xn--bcher-kva\\.corp/'],
    ['https://app\\.corp:443/', 'https://app\\.corp/'],
    ['https://app\\.corp:4[0-9]+/', 'https://app\\.corp/'],
    ['https://app\\.corp\\./', 'https://app\\.corp/'],
    ['https://ann@app\\.corp/', 'https://app\\.corp/'],
    ['https:\\\\\\\\app\\.corp/', 'https://app\\.corp/'],
    ['https:app\\.corp/', 'https://app\\.corp/'],
    ['https://app\\.corp/caf%C3%A9/', 'https://app\\.corp/caf\u00e9/'],
    ['https://app\\.corp/a;jsessionid=1/b', 'https://app\\.corp/a/b'],
    ['urn:%41', 'urn:a'],
  ])('%s, %s', (one, other) => {
    expect([mayOverlap(one, other), mayOverlap(other, one)]).toEqual([true, true]);
  });
});

test('patterns that match one URL overlap', () => {
  const item = fc.constantFrom(
    'a',
    'b',
    'A',
    '\\.',
    '.',
    '/',
    'a?',
    'b*',
    '(a|b)',
    '(?:a|bb)?',
    '[ab]',
    '^',
    '$',
    '|',
    '(?i)',
    '(',
    ')',
    '\\Qa\\E',
    '\\x61',
    '{2}',
    's',
    '\u017f',
  );
  const pattern = fc.array(item, { maxLength: 6 }).map((items) => items.join(''));
  const url = fc.array(fc.constantFrom('a', 'b', '.', '/', 's', '\u017f'), { maxLength: 5 });
  let both = 0;
  fc.assert(
    fc.property(pattern, pattern, fc.array(url, { maxLength: 20 }), (one, other, urls) => {
      const compiled = [one, other].map(compile);
      const isShared = urls.some((each) =>
        compiled.every((regex) => regex?.matches(each.join(''))),
      );
      if (!isShared) return;
      both += 1;
      expect(mayOverlap(one, other)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
  // Otherwise the test would prove little.
  expect(both).toBeGreaterThan(100);
});

function compile(text: string): RE2JS | undefined {
  try {
    return RE2JS.compile(text, RE2JS.CASE_INSENSITIVE);
  } catch {
    return undefined;
  }
}
