import { describe, expect, test } from '@jest/globals';
import { isActive } from './activation.js';
import { profileExpression } from './profile-expression.js';
import type { PropertyDocument } from './property-document.js';
import { readYaml } from './yaml-reader.js';

const documentOf = (text: string): PropertyDocument =>
  readYaml(text, 'f')[0] ?? { properties: new Map(), activation: undefined };

const PROFILES = ['default', 'p', 'q', 'r', 'p,q', 'p,r', 'q,r', 'p,q,r'];

const activeFor = (text: string): string[] =>
  PROFILES.filter((profiles) => isActive(documentOf(text), profiles.split(',')));

/** Each row is for which profiles Spring Cloud Config Server 4.3.1 on Boot 3.5.16 served the document. */
describe('as Spring Boot 3.5.16 has it, on-profile', () => {
  test.each([
    ['p', ['p', 'p,q', 'p,r', 'p,q,r']],
    ['"p "', ['p', 'p,q', 'p,r', 'p,q,r']],
    ['(p)', ['p', 'p,q', 'p,r', 'p,q,r']],
    ['((p))', ['p', 'p,q', 'p,r', 'p,q,r']],
    ['p & q', ['p,q', 'p,q,r']],
    ['p&&q', ['p,q', 'p,q,r']],
    ['p & q & r', ['p,q,r']],
    ['p | r', ['p', 'r', 'p,q', 'p,r', 'q,r', 'p,q,r']],
    ['p, r', ['p', 'r', 'p,q', 'p,r', 'q,r', 'p,q,r']],
    ['[p, r]', ['p', 'r', 'p,q', 'p,r', 'q,r', 'p,q,r']],
    ['"!p"', ['default', 'q', 'r', 'q,r']],
    ['"! p"', ['default', 'q', 'r', 'q,r']],
    ['"!(p | q)"', ['default', 'r']],
    ['"!p, q"', ['default', 'q', 'r', 'p,q', 'q,r', 'p,q,r']],
    ['[p & q, "!r"]', ['default', 'p', 'q', 'p,q', 'p,q,r']],
    ['(p|r) & !q', ['p', 'r', 'p,r']],
    ['(p & q) | r', ['r', 'p,q', 'p,r', 'q,r', 'p,q,r']],
    ['p & (q | (r & !s))', ['p,q', 'p,r', 'p,q,r']],
    ['default', ['default']],
    ['P', []],
    ['p q', []],
    ['p*', []],
    ['""', PROFILES],
    ['~', PROFILES],
    ['[]', PROFILES],
  ])('%s holds for %j', (expression, expected) => {
    expect(activeFor(`spring.config.activate.on-profile: ${expression}`)).toEqual(expected);
  });

  test.each([
    ['onProfile: p'],
    ['on_profile: p'],
    ['on-profile: [p]'],
    ['"on-profile[0]": p'],
    ['ON-PROFILE: p'],
  ])('may be written %s', (written) => {
    const document = documentOf(`spring:\n  config:\n    activate:\n      ${written}`);
    expect(isActive(document, ['p'])).toBe(true);
    expect(isActive(document, ['q'])).toBe(false);
  });

  test('may be a number, whose text is the name', () => {
    expect(isActive(documentOf('spring.config.activate.on-profile: 0x10'), ['16'])).toBe(true);
  });

  test.each([
    ['spring.config.activate.on-cloud-platform: kubernetes', []],
    ['spring.config.activate.on-cloud-platform: none', PROFILES],
    ['spring.config.activate.on-profile.a: p', PROFILES],
    ['a: 1', PROFILES],
  ])('beside it, %s holds for %j', (text, expected) => {
    expect(activeFor(text)).toEqual(expected);
  });
});

test.each([
  ['spring.profiles: p', ['p', 'p,q', 'p,r', 'p,q,r']],
  ['spring.profiles: p,r', ['p', 'r', 'p,q', 'p,r', 'q,r', 'p,q,r']],
  ['spring:\n  profiles: ["!p"]', ['default', 'q', 'r', 'q,r']],
  ['spring.profiles.active: p', PROFILES],
  ['spring.profiles: p\nspring.config.activate.on-profile: q', ['p,q', 'p,q,r']],
])('the key of Spring Boot before 2.4 holds likewise: %j', (text, expected) => {
  expect(activeFor(text)).toEqual(expected);
});

test.each([
  ...['p & q | r', '!p & q | r', 'p,,r', '()', '!', '& p', '| p'].map((text) => [
    text,
    'as Spring',
  ]),
  ...['(p', 'p)', 'p &', '(p) q', 'p !q', 'p()q'].map((text) => [text, 'though Spring guesses']),
])('%s is refused, %s', (expression) => {
  const text = `spring.config.activate.on-profile: "${expression}"`;
  expect(() => readYaml(text, 'f')).toThrow('f, line 1: profiles are names');
});

test('many names are read in one go', () => {
  const text = 'p|'.repeat(200_000);
  expect(profileExpression(`${text}q`)?.((profile) => profile === 'q')).toBe(true);
});

test('an expression is refused where it nests without end', () => {
  expect(profileExpression('('.repeat(100_000))).toBeUndefined();
  expect(profileExpression('!'.repeat(100_000))).toBeUndefined();
});
