import { describe, expect, test } from '@jest/globals';
import { isAttributeName } from './attribute-type.js';

describe('no attribute can have the name', () => {
  test.each([
    '',
    'NOPE',
    'CN ',
    'attribute:CN',
    '2',
    '2.',
    '.2.5',
    '2..5',
    '2.5.4.',
    '2.5.04.3',
    '3.1',
    '1.40',
    '2.5.4.x',
    '2.5.4.-3',
    '__proto__',
  ])('%j', (name) => {
    expect(isAttributeName(name)).toBe(false);
  });
});

describe('an attribute can have the name', () => {
  test.each([
    'CN',
    'cn',
    'UID',
    'emailaddress',
    'serialNumber',
    '2.5.4.3',
    '1.2.3.4',
    '0.39',
    '2.999.3',
    '0.9.2342.19200300.100.1.1',
  ])('%j', (name) => {
    expect(isAttributeName(name)).toBe(true);
  });
});
