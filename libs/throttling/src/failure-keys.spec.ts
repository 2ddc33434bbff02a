import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { failureKeysOf, networkOf } from './failure-keys.js';

describe('the network of an address', () => {
  test.each([
    ['IPv4 is itself', '192.0.2.7', '192.0.2.7'],
    ['IPv4 in IPv6 is the IPv4', '::ffff:192.0.2.7', '192.0.2.7'],
    ['IPv4 in IPv6, in hexadecimal', '::FFFF:c000:207', '192.0.2.7'],
    ['IPv6 is its /64', '2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
    ['IPv6 in another spelling', '2001:0DB8::0007:0001:2:3:4', '2001:db8:0:7::/64'],
    ['IPv6 with its zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['IPv6 of this machine', '::1', '0:0:0:0::/64'],
    ['IPv6 that ends in zeros', '2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['what is no address is itself', 'unknown', 'unknown'],
    ['nothing is itself', '', ''],
  ])('of %s', (_what, address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test('is the same for all addresses of a /64, and no others, however they are written', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
        const expected = bytesOf(one).slice(0, 16) === bytesOf(other).slice(0, 16);
        fc.pre(!bytesOf(one).startsWith(MAPPED) && !bytesOf(other).startsWith(MAPPED));
        expect(networkOf(one) === networkOf(other)).toBe(expected);
      }),
    );
    fc.assert(
      fc.property(
        fc.tuple(...Array.from({ length: 8 }, () => fc.integer({ min: 0, max: 65_535 }))),
        (groups) => {
          const text = groups.map((group) => group.toString(16)).join(':');
          fc.pre(!bytesOf(text).startsWith(MAPPED));
          const expected = groups
            .slice(0, 4)
            .map((group) => group.toString(16))
            .join(':');
          expect(networkOf(text)).toBe(`${expected}::/64`);
        },
      ),
    );
  });
});

const MAPPED = '00000000000000000000ffff';

/** All 32 digits; written without the code under test. */
function bytesOf(address: string): string {
  const dotted = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes: string[]) =>
    [0, 2].map((at) => (Number(bytes[at]) * 256 + Number(bytes[at + 1])).toString(16)).join(':'),
  );
  const [head = '', tail = ''] = dotted.split('::');
  const halves = [head, tail].map((half) =>
    half
      .split(':')
      .filter((group) => group !== '')
      .map((group) => group.padStart(4, '0'))
      .join(''),
  );
  return `${halves[0]}${'0'.repeat(32 - (halves[0] + halves[1]!).length)}${halves[1]}`;
}

/** Of any UTF-16 code units, halves of pairs among them. */
const ANY_TEXT = fc.uint16Array().map((units) => String.fromCharCode(...units));

describe('keys', () => {
  const keys = (name: string, address = '192.0.2.7', entrance = 'rest') =>
    failureKeysOf(entrance, { address, name });

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
    ['entrances', keys('alice'), keys('alice', '192.0.2.7', 'login')],
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

  test('of 64 KiB of combining marks take no time to speak of', () => {
    const began = performance.now();
    keys('\u0301\u0323'.repeat(16_384));
    expect(performance.now() - began).toBeLessThan(100);
  });
});
