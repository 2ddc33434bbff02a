import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AddressRanges } from './address-ranges.js';

describe('reading ranges', () => {
  test.each([
    ['nothing', '', 'is no IP address or CIDR'],
    ['a name', 'localhost', 'is no IP address or CIDR'],
    ['a wildcard', '10.0.*', 'is no IP address or CIDR'],
    ['an address cut short', '10.0.0', 'is no IP address or CIDR'],
    ['octal digits', '010.0.0.1', 'is no IP address or CIDR'],
    ['a part too large', '10.0.0.256', 'is no IP address or CIDR'],
    ['white space', '10.0.0.1 /8', 'is no IP address or CIDR'],
    ['brackets', '[::1]', 'is no IP address or CIDR'],
    ['a port', '10.0.0.1:80', 'is no IP address or CIDR'],
    ['a prefix that is no number', '10.0.0.0/x', 'is no IP address or CIDR'],
    ['a prefix that is missing', '10.0.0.0/', 'is no IP address or CIDR'],
    ['a prefix with a leading zero', '10.0.0.0/08', 'is no IP address or CIDR'],
    ['a negative prefix', '10.0.0.0/-1', 'is no IP address or CIDR'],
    ['a mask', '10.0.0.0/255.0.0.0', 'is no IP address or CIDR'],
    ['two prefixes', '10.0.0.0/8/8', 'is no IP address or CIDR'],
    ['a prefix too long for IPv4', '10.0.0.0/33', 'has a prefix longer than 32'],
    ['a prefix too long for IPv6', 'fe80::/129', 'has a prefix longer than 128'],
    ['a zone', 'fe80::1%eth0', 'has a zone, which address ranges do not support'],
    ['a zone and a prefix', 'fe80::%1/10', 'has a zone, which address ranges do not support'],
    [
      'more than IPv4 mapped into IPv6',
      '::ffff:0:0/95',
      'is IPv4 mapped into IPv6: write the range in IPv4',
    ],
  ])('refuses %s', (_, element, reason) => {
    expect(() => AddressRanges.parse([element])).toThrow(
      expect.objectContaining({
        code: 'ADDRESS_RANGES_INVALID',
        message: `${JSON.stringify(element)} ${reason}`,
      }),
    );
  });

  test('reports every problem at once, and no valid element', () => {
    expect(() => AddressRanges.parse(['10.0.0.0/40', '10.0.0.0/8', 'x'])).toThrow(
      '"10.0.0.0/40" has a prefix longer than 32; "x" is no IP address or CIDR',
    );
  });
});

describe('what a range contains', () => {
  test.each([
    [[], '127.0.0.1', false],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['10.1.2.3/8'], '10.9.9.9', true],
    [['10.0.0.1'], '10.0.0.1', true],
    [['10.0.0.1'], '10.0.0.2', false],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
    [['10.0.0.0/8'], '::ffff:a00:1', true],
    [['::ffff:10.0.0.0/104'], '10.0.0.1', true],
    [['::ffff:10.0.0.1'], '10.0.0.1', true],
    [['::ffff:10.0.0.1'], '10.0.0.2', false],
    [['10.0.0.0/8'], '::10.0.0.1', false],
    [['0.0.0.0/0'], '255.255.255.255', true],
    [['0.0.0.0/0'], '::1', false],
    [['::/0'], '2001:db8::1', true],
    [['::/0'], '127.0.0.1', false],
    [['2001:DB8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::', false],
    [['::1'], '0:0:0:0:0:0:0:1', true],
    [['fe80::/10'], 'fe80::1%eth0', false],
    [['0.0.0.0/0', '::/0'], 'unknown', false],
    [['0.0.0.0/0', '::/0'], '', false],
    [['192.0.2.1', '2001:db8::/32', '10.0.0.0/8'], '10.0.0.1', true],
  ])('%j contains %s: %s', (elements, address, expected) => {
    expect(AddressRanges.parse(elements).contains(address)).toBe(expected);
  });

  /** Addresses as numbers, compared bit by bit; near each other, so that prefixes matter. */
  const version = fc.constantFrom(32, 128);
  const near = version.chain((bits) => {
    const number = fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
    return fc
      .tuple(number, fc.nat(bits), fc.nat(bits - 1), fc.boolean())
      .map(([network, prefix, bit, flip]) => {
        return { bits, network, prefix, address: flip ? network ^ (1n << BigInt(bit)) : network };
      });
  });

  test('agrees with comparing the first bits', () => {
    fc.assert(
      fc.property(near, ({ bits, network, prefix, address }) => {
        const shift = BigInt(bits - prefix);
        const ranges = AddressRanges.parse([`${write(network, bits)}/${prefix}`]);
        const expected = network >> shift === address >> shift;
        expect(ranges.contains(write(address, bits))).toBe(expected);
        if (bits === 32) {
          expect(ranges.contains(`::ffff:${write(address, bits)}`)).toBe(expected);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('never throws, whatever is read or looked up', () => {
    const ranges = AddressRanges.parse(['10.0.0.0/8', '2001:db8::/32']);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789abf:./%[]') }), (text) => {
        expect(typeof ranges.contains(text)).toBe('boolean');
        try {
          AddressRanges.parse([text]);
        } catch (error) {
          expect(error).toHaveProperty('code', 'ADDRESS_RANGES_INVALID');
        }
      }),
    );
  });
});

function write(address: bigint, bits: number): string {
  if (bits === 32) {
    return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.');
  }
  const digits = address.toString(16).padStart(32, '0');
  // IPv4-mapped addresses count as IPv4, which other rows cover.
  if (digits.startsWith('00000000000000000000ffff')) return write(address | (1n << 127n), bits);
  return digits.match(/.{4}/g)!.join(':');
}
