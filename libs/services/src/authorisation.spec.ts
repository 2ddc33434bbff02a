import { describe, expect, test } from '@jest/globals';
import { registeredService } from '../test/registered-service.js';
import { isAuthorised } from './authorisation.js';

const principal = {
  id: 'u',
  attributes: { memberOf: ['staff', 'admin'], site: ['north'], empty: [] },
};

describe('a principal is refused', () => {
  test.each([
    ['by a disabled service', { enabled: false }],
    ['without an attribute of that name', { requiredAttributes: { role: ['admin'] } }],
    ['without any of the values', { requiredAttributes: { memberOf: ['root', 'guest'] } }],
    ['by one attribute of several', { requiredAttributes: { memberOf: ['staff'], site: ['x'] } }],
    ['by a value in other letters', { requiredAttributes: { memberOf: ['Staff'] } }],
    ['by a name in other letters', { requiredAttributes: { memberof: ['staff'] } }],
    ['by a value that looks like a pattern', { requiredAttributes: { memberOf: ['.*'] } }],
    ['by a part of a value', { requiredAttributes: { memberOf: ['sta'] } }],
    ['by an attribute that lists no value', { requiredAttributes: { memberOf: [] } }],
    ['with an attribute that has no value', { requiredAttributes: { empty: [''] } }],
    ['by the name of a built-in member', { requiredAttributes: { constructor: ['Object'] } }],
    ['by __proto__', { requiredAttributes: JSON.parse('{"__proto__":["x"]}') }],
  ])('%s', (_rule, fields) => {
    expect(isAuthorised(registeredService(fields), principal)).toBe(false);
  });
});

describe('a principal is let in', () => {
  test.each([
    ['by a service that requires nothing', {}],
    ['with one of the values', { requiredAttributes: { memberOf: ['root', 'admin'] } }],
    ['with one of each', { requiredAttributes: { memberOf: ['staff'], site: ['south', 'north'] } }],
  ])('%s', (_rule, fields) => {
    expect(isAuthorised(registeredService(fields), principal)).toBe(true);
  });
});
