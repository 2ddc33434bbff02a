import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { networkOf } from './network-of.js';

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
