import { describe, expect, test } from '@jest/globals';
import { assert, property, string } from 'fast-check';
import { readAuthorization } from './authorization.js';

const basic = (text: string | Buffer): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('an Authorization header says nothing', () => {
  test.each([
    ['that is absent', undefined],
    ['that is empty', ''],
    ['of another scheme', 'Digest username="a"'],
    ['without credentials', 'Basic'],
    ['with spaces in its credentials', 'Bearer a b'],
    ['of Basic without a colon', basic('orders')],
    ['of Basic with a control character in the name', basic('a\0b:s3cret')],
    ['of Basic with a control character in the password', basic('orders:a\nb')],
    ['of Basic that is no UTF-8', basic(Buffer.from([0xff, 0x3a, 0xfe]))],
    ['beyond all measure', `Bearer ${'a'.repeat(5_000)}`],
  ])('%s', (_rule, header) => {
    expect(readAuthorization(header)).toBeUndefined();
  });
});

describe('an Authorization header gives', () => {
  test.each([
    ['name and password', basic('orders:s3cret'), 'orders', 's3cret'],
    ['a password with colons', basic('orders:a:b:'), 'orders', 'a:b:'],
    ['an empty password', basic('orders:'), 'orders', ''],
    ['any case of the scheme', basic('o:p').replace('Basic', 'bAsIc'), 'o', 'p'],
    ['no padding', basic('orders:s3cret').replaceAll('=', ''), 'orders', 's3cret'],
  ])('%s', (_rule, header, name, password) => {
    expect(readAuthorization(header)).toEqual({ scheme: 'basic', name, password });
  });

  test('a token as it is', () => {
    expect(readAuthorization('bearer  a-B_c.d~e+f/g==')).toEqual({
      scheme: 'bearer',
      token: 'a-B_c.d~e+f/g==',
    });
  });

  test('every name and password that are text', () => {
    assert(
      property(string({ unit: 'grapheme' }), string({ unit: 'grapheme' }), (named, password) => {
        const name = named.replaceAll(':', '');
        expect(readAuthorization(basic(`${name}:${password}`))).toEqual({
          scheme: 'basic',
          name,
          password,
        });
      }),
    );
  });
});
