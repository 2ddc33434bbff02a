import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bytesOfHex } from './strict-decoding.js';

describe('hexadecimal digits', () => {
  test.each([
    ['a digit without its partner', 'abc'],
    ['what stands before 0', 'a/'],
    ['what stands behind 9', 'a:'],
    ['what stands before A', 'a@'],
    ['what stands behind F', 'aG'],
    ['what stands before a', 'a`'],
    ['what stands behind f', 'ag'],
    ['white space', 'ab cd'],
    ['a line end at the end', 'abcd\n'],
    ['a prefix', '0xabcd'],
    // Its low byte is that of `a`.
    ['a letter beyond Latin', '\u0161\u0161'],
    ['digits of another script', '\uff11\uff12'],
  ])('are not read with %s', (_what, text) => {
    expect(bytesOfHex(text)).toBeUndefined();
  });

  test('are read in either case', () => {
    expect(bytesOfHex('00aBFf')).toEqual(Buffer.from([0x00, 0xab, 0xff]));
    expect(bytesOfHex('')).toEqual(Buffer.alloc(0));
  });

  test('give all bytes back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const written = Buffer.from(bytes);
        expect(bytesOfHex(written.toString('hex'))).toEqual(written);
      }),
    );
  });
});
