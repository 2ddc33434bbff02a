import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { failureKeysOf } from './failure-keys.js';

/** Of any UTF-16 code units, halves of pairs among them. */
const ANY_TEXT = fc.uint16Array().map((units) => String.fromCharCode(...units));

describe('keys', () => {
  const keys = (name: string, address = '192.0.2.7', entryPoint = 'rest') =>
    failureKeysOf(entryPoint, { address, name });

  test('are 64 hexadecimal digits that tell neither address nor name', () => {
    for (const key of Object.values(keys('alice'))) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['case', 'ALICE'],
    ['white space around it', ' alice\t'],
    ['compatible characters', '\uff41lice'],
  ])('take no notice of %s in a name', (_what, name) => {
    expect(keys(name)).toEqual(keys('alice'));
  });

  test.each([
    ['white space inside a name', 'a  b', 'a b'],
    ['a Unicode form', 'Ju\u0308rgen', 'J\u00fcrgen'],
  ])('take no notice of %s', (_what, name, other) => {
    expect(keys(name)).toEqual(keys(other));
  });

  test.each([
    ['users', keys('alice'), keys('bob')],
    ['addresses', keys('alice'), keys('alice', '192.0.2.8')],
    ['entry points', keys('alice'), keys('alice', '192.0.2.7', 'login')],
    ['lone surrogates', keys('\ud800'), keys('\udbff')],
    ['where the address ends and the name begins', keys('","b', 'a'), keys('b', 'a","')],
  ])('tell %s apart', (_what, one, other) => {
    expect(one.addressAndName).not.toBe(other.addressAndName);
  });

  test('of an address are the same for all names, and never those of a name', () => {
    fc.assert(
      fc.property(ANY_TEXT, (name) => {
        expect(keys(name).address).toBe(keys('alice').address);
        expect(keys(name).addressAndName).not.toBe(keys(name).address);
      }),
    );
  });
});
