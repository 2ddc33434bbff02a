import { describe, expect, test } from '@jest/globals';
import { assert, constantFrom, property, string, uint8Array } from 'fast-check';
import { cipherIn } from './submitted-cipher.js';
import { textOfForm } from './submitted-text.js';

const read = (body: string): string => textOfForm(Buffer.from(body)).toString('utf8');

describe('a form without names', () => {
  test.each([
    ['is refused with a lone percent sign', '100%'],
    ['is refused with a percent sign before what is no digit', 'a%zzb'],
    ['is refused with half an octet', 'a%2'],
  ])('%s', (_rule, body) => {
    expect(() => read(body)).toThrow(
      expect.objectContaining({
        code: 'MALFORMED_REQUEST',
        message: 'a form needs %25 for each %; send text/plain for text as it is',
      }),
    );
  });

  // What the real server makes of the same: live-encrypt-controller, "what gets encrypted"; ours loses less.
  test.each([
    ['is a literal token', 'mysecret', 'mysecret'],
    ['has a space for a plus sign', 'my+pass', 'my pass'],
    ['has a plus sign for %2B', 'my%2Bpass', 'my+pass'],
    ['is decoded as UTF-8', 'p%C3%A9', 'pé'],
    ['is decoded once', '%252B', '%2B'],
    ['loses the one = that a client added behind', 'abc=', 'abc'],
    ['loses the one = that a client added before', '=my%2Bpass', 'my+pass'],
    ['loses no other =', 'abc==', 'abc=='],
    ['keeps an encoded = at its end', 'abc%3D', 'abc='],
    ['keeps an encoded = at its beginning', '%3Dabc', '=abc'],
    ['is taken whole where it reads as a pair', 'a=b%20c', 'a=b c'],
    ['is taken whole where it reads as pairs', 'a=1&b=2', 'a=1&b=2'],
    ['is taken whole where it reads as names', 'a&b', 'a&b'],
    ['is taken whole where it ends in a name', 'a&b=', 'a&b='],
    ['may become empty', '=', ''],
  ])('%s', (_rule, body, text) => {
    expect(read(body)).toBe(text);
  });

  test('gives back whatever curl --data-urlencode "=…" makes of it', () => {
    assert(
      property(string({ unit: 'grapheme' }), (text) => {
        expect(read(encodeURIComponent(text))).toBe(text);
      }),
    );
  });

  test('gives back every byte that is percent-encoded', () => {
    assert(
      property(uint8Array(), (bytes) => {
        const hex = Buffer.from(bytes).toString('hex');
        expect([...textOfForm(Buffer.from(hex.replaceAll(/../g, '%$&')))]).toEqual([...bytes]);
      }),
    );
  });
});

describe('a submitted ciphertext', () => {
  test.each<[string, string, boolean, string]>([
    ['is taken as it is', 'AbC+/w==', false, 'AbC+/w=='],
    ['loses the prefix of settings files', '{cipher}abcd', false, 'abcd'],
    ['loses the line end that files have', 'abcd\r\n', false, 'abcd'],
    ['keeps its selector', '{cipher}{key:a}abcd', false, '{key:a}abcd'],
    ['keeps a space that is not of a form', 'Ab C', false, 'Ab C'],
    ['has + again for the space of a form', 'Ab C', true, 'Ab+C'],
    ['gets back one = of its padding', 'AbC', true, 'AbC='],
    ['gets back both = of its padding', 'AbC+/w', true, 'AbC+/w=='],
    ['gets back its padding behind a selector', '{key:ab}AbC', true, '{key:ab}AbC='],
    ['gets no padding at a length that is none', 'AbCde', true, 'AbCde'],
    ['gets no padding where it is whole', '00ff', true, '00ff'],
    ['gets no padding where it is hexadecimal', '00ffab', true, '00ffab'],
    ['has the + at its ends again', ' xy ', true, '+xy+'],
    ['has the + behind its selector again', '{cipher}{key:a} xy \n', true, '{key:a}+xy+'],
    ['loses the space around it', ' AbC+ ', true, 'AbC+'],
    ['loses the space around hexadecimal', ' 00ffab ', true, '00ffab'],
    ['gets no padding where it is no base64', 'v1.kid.Ab_C-w', true, 'v1.kid.Ab_C-w'],
  ])('%s', (_rule, submitted, wasForm, cipher) => {
    expect(cipherIn(submitted, wasForm)).toBe(cipher);
  });

  const lossy = (text: string): string => text.replaceAll('+', ' ').replace(/=+$/, '');
  test.each<[string, (bytes: Buffer) => string, (text: string) => string]>([
    ['hexadecimal', (bytes) => bytes.toString('hex'), String],
    // What begins so is no hexadecimal.
    ['Base64', (bytes) => `////${bytes.toString('base64')}`, lossy],
    ['our envelope', (bytes) => `v1.kid.${bytes.toString('base64url')}`, String],
  ])('of %s comes out of every form', (_what, write, asForm) => {
    const selectors = constantFrom('', '{cipher}', '{key:old}', '{cipher}{key:old}');
    assert(
      property(selectors, uint8Array({ minLength: 1 }), (before, bytes) => {
        const written = before + write(Buffer.from(bytes));
        expect(cipherIn(asForm(written), true)).toBe(written.replace('{cipher}', ''));
      }),
    );
  });
});
