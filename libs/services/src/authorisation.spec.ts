import { describe, expect, test } from '@jest/globals';
import { registeredService } from '../test/registered-service.js';
import { hasAttributeRules, isAuthorised, isEnabled } from './authorisation.js';
import type { RegisteredService } from './registered-service.js';

const EXPIRY = '2027-06-30T16:00:00.000Z';
const NOW = Date.parse(EXPIRY) - 1;

const principal = {
  id: 'u',
  attributes: { memberOf: ['staff', 'admin'], site: ['north'], empty: [] },
};

describe('a principal is refused', () => {
  test.each<[string, Partial<RegisteredService>]>([
    ['by a disabled service', { enabled: false }],
    ['by a service that has expired', { expiresAt: new Date(NOW).toISOString() }],
    ['without an attribute of that name', { requiredAttributes: { role: ['admin'] } }],
    ['without any of the values', { requiredAttributes: { memberOf: ['root', 'guest'] } }],
    ['by one attribute of several', { requiredAttributes: { memberOf: ['staff'], site: ['x'] } }],
    ['by a value in other letters', { requiredAttributes: { memberOf: ['Staff'] } }],
    ['by a name in other letters', { requiredAttributes: { memberof: ['staff'] } }],
    ['by a part of a value', { requiredAttributes: { memberOf: ['sta'] } }],
    ['by a pattern of a part', { requiredAttributes: { memberOf: ['[a-s]ta'] } }],
    ['by a pattern in other letters', { requiredAttributes: { memberOf: ['STA.*'] } }],
    ['by an invalid pattern', { requiredAttributes: { memberOf: ['('] } }],
    [
      'by none of several',
      { requireAllAttributes: false, requiredAttributes: { a: ['.*'], site: ['x'] } },
    ],
    [
      'with an attribute that has no value, whatever it is',
      { requiredAttributes: { empty: ['.*'] } },
    ],
    [
      'with fewer attributes than are required, though one is enough',
      {
        requireAllAttributes: false,
        requiredAttributes: { memberOf: ['staff'], a: ['x'], b: ['x'], c: ['x'] },
      },
    ],
    ['by a rejected value', { rejectedAttributes: { memberOf: ['admin'] } }],
    ['by a pattern of rejected values', { rejectedAttributes: { memberOf: ['adm.*'] } }],
    [
      'by one rejected attribute of several',
      { rejectedAttributes: { site: ['north'], memberOf: ['x'] } },
    ],
    [
      'by a rejected value, though it has what is required',
      {
        requiredAttributes: { memberOf: ['staff'] },
        rejectedAttributes: { site: ['n.*'] },
      },
    ],
    ['by an invalid pattern of rejected values', { rejectedAttributes: { memberOf: ['('] } }],
    [
      'with fewer attributes than are rejected',
      {
        rejectedAttributes: { a: ['x'], b: ['x'], c: ['x'], d: ['x'] },
      },
    ],
    ['by an attribute that lists no value', { requiredAttributes: { memberOf: [] } }],
    ['with an attribute that has no value', { requiredAttributes: { empty: [''] } }],
    ['by the name of a built-in member', { requiredAttributes: { constructor: ['Object'] } }],
    ['by __proto__', { requiredAttributes: JSON.parse('{"__proto__":["x"]}') }],
  ])('%s', (_rule, fields) => {
    expect(isAuthorised(registeredService(fields), principal, NOW)).toBe(false);
  });
});

describe('a principal is let in', () => {
  test.each<[string, Partial<RegisteredService>]>([
    ['by a service that requires nothing', {}],
    ['with one of the values', { requiredAttributes: { memberOf: ['root', 'admin'] } }],
    ['with a value that matches', { requiredAttributes: { memberOf: ['root|adm.*'] } }],
    [
      'with one of several attributes, where one is enough',
      {
        requireAllAttributes: false,
        requiredAttributes: { role: ['admin'], site: ['nor.*'] },
      },
    ],
    ['without a rejected value', { rejectedAttributes: { memberOf: ['guest.*'], role: ['.*'] } }],
    ['with a part of a rejected value', { rejectedAttributes: { memberOf: ['sta'] } }],
    ['with a rejected attribute that has no value', { rejectedAttributes: { empty: ['.*'] } }],
    ['with one of each', { requiredAttributes: { memberOf: ['staff'], site: ['south', 'north'] } }],
  ])('%s', (_rule, fields) => {
    expect(isAuthorised(registeredService(fields), principal, NOW)).toBe(true);
  });
});

test('a principal without attributes is let in by a service that requires nothing', () => {
  expect(isAuthorised(registeredService(), { id: 'u', attributes: {} }, NOW)).toBe(true);
});

test('a value that would take too long neither satisfies a service nor escapes one', () => {
  const huge = { id: 'u', attributes: { memberOf: ['a'.repeat(10_000)] } };
  const pattern = { memberOf: ['(\\pL{0,300}.*){3}'] };
  expect(isAuthorised(registeredService({ requiredAttributes: pattern }), huge, NOW)).toBe(false);
  expect(isAuthorised(registeredService({ rejectedAttributes: pattern }), huge, NOW)).toBe(false);
});

test.each<[Partial<RegisteredService>, boolean]>([
  [{}, false],
  [{ requireAllAttributes: false }, false],
  [{ requiredAttributes: { a: ['x'] } }, true],
  [{ rejectedAttributes: { a: ['x'] } }, true],
])('whether attributes count: %j', (fields, expected) => {
  expect(hasAttributeRules(registeredService(fields))).toBe(expected);
});

describe('a service', () => {
  test.each([
    ['that never expires is enabled', { expiresAt: null }, NOW, true],
    ['is enabled before it expires', { expiresAt: EXPIRY }, NOW, true],
    ['is disabled from its expiry on', { expiresAt: EXPIRY }, NOW + 1, false],
    ['is disabled long after it', { expiresAt: EXPIRY }, NOW + 1e12, false],
    [
      'that is disabled stays so before it expires',
      { enabled: false, expiresAt: EXPIRY },
      NOW,
      false,
    ],
  ])('%s', (_rule, fields, now, expected) => {
    expect(isEnabled(registeredService(fields), now)).toBe(expected);
  });
});
