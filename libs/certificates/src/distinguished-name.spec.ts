import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { der } from '../../../test/support/pki/encode-der.js';
import { DerElement } from './der/der-element.js';
import { DistinguishedName } from './distinguished-name.js';

const COMMON_NAME = Buffer.from([0x55, 4, 3]);
const UNNAMED = Buffer.from([0x2a, 3]);
const PRINTABLE = 0x13;
const UTF8 = 0x0c;
const UTF32 = 0x1c;
const BIT_STRING = 0x03;

const BITS = Buffer.of(7, 0x80);

const attribute = (type: Buffer, value: Buffer) => der(0x30, der(0x06, type), value);
const name = (...parts: readonly (readonly Buffer[])[]) =>
  DistinguishedName.read(
    DerElement.read(der(0x30, ...parts.map((attributes) => der(0x31, ...attributes)))),
  );
const commonName = (value: string | Buffer, tag = UTF8) => attribute(COMMON_NAME, der(tag, value));

describe('the text of a name, by RFC 4514', () => {
  test.each([
    ['plain', 'Jane Doe', 'CN=Jane Doe'],
    ['every special character', '"+,;<>\\', String.raw`CN=\"\+\,\;\<\>\\`],
    ['= as it is', 'a=b', 'CN=a=b'],
    ['a space at each end', ' a ', String.raw`CN=\ a\ `],
    ['nothing but a space', ' ', String.raw`CN=\ `],
    ['nothing but two spaces', '  ', String.raw`CN=\ \ `],
    ['a number sign at the beginning only', '#a#', String.raw`CN=\#a#`],
    ['control characters in hex', 'a\0\nb', String.raw`CN=a\00\0ab`],
    ['other scripts as they are', 'Łukasz 王', 'CN=Łukasz 王'],
    ['what turns the direction of writing, in hex', 'a\u202eb', String.raw`CN=a\e2\80\aeb`],
  ])('has %s', (_title, value, text) => {
    expect(name([commonName(value)]).toString()).toBe(text);
  });

  test.each<[string, Buffer[], string]>([
    ['the common name as it is', [commonName('Doe, "J"')], 'Doe, "J"'],
    ['control characters in hex', [commonName('a\n\u202eb')], String.raw`a\0a\e2\80\aeb`],
    ['the last of several', [commonName('a'), commonName('b')], 'b'],
    ['the whole name where there is none', [attribute(UNNAMED, der(UTF8, 'a'))], '1.2.3=#0c0161'],
    ['the whole name where it is empty', [commonName('')], 'CN='],
  ])('is short: %s', (_title, parts, text) => {
    expect(name(...parts.map((part) => [part])).shortText).toBe(text);
  });

  test('has the last part first, and joins the attributes of one part with +', () => {
    const two = [commonName('b'), commonName('c')];
    expect(name([commonName('a')], two).toString()).toBe('CN=b+CN=c,CN=a');
  });

  test('has the DER of a value whose type has no name, or that is not a text', () => {
    expect(name([attribute(UNNAMED, der(UTF8, 'a'))]).toString()).toBe('1.2.3=#0c0161');
    expect(name([commonName(Buffer.of(7), 0x02)]).toString()).toBe('CN=#020107');
  });

  test.each([
    ['UTF-8', UTF8, Buffer.from('é')],
    ['Latin 1', 0x14, Buffer.of(0xe9)],
    ['UTF-16', 0x1e, Buffer.of(0, 0xe9)],
    ['UTF-32', UTF32, Buffer.of(0, 0, 0, 0xe9)],
  ])('reads %s', (_title, tag, bytes) => {
    expect(name([commonName(bytes, tag)]).toString()).toBe('CN=é');
  });

  test.each([
    ['UTF-8 that is cut off', UTF8, Buffer.of(0xc3)],
    ['half a surrogate pair', 0x1e, Buffer.of(0xd8, 0)],
    ['UTF-32 that is cut off', UTF32, Buffer.of(0, 0, 0xe9)],
    ['UTF-32 with a surrogate', UTF32, Buffer.of(0, 0, 0xd8, 0)],
    ['UTF-32 beyond the last character', UTF32, Buffer.of(0, 0x11, 0, 0)],
    ['a printable string with a byte above ASCII', PRINTABLE, Buffer.of(0xe9)],
  ])('refuses %s', (_title, tag, bytes) => {
    expect(() => name([commonName(bytes, tag)])).toThrow(
      expect.objectContaining({ code: 'CERTIFICATE_UNREADABLE' }),
    );
  });

  test('is refused where a part is empty, which X.501 does not allow', () => {
    expect(() => name([], [commonName('a')])).toThrow(
      expect.objectContaining({ code: 'CERTIFICATE_UNREADABLE' }),
    );
  });

  test('is never the same for two values', () => {
    const character = fc.constantFrom(...'a ,+=#\\"\0\n');
    const value = fc.string({ unit: character, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), fc.array(value, { maxLength: 3 }), (a, b) => {
        const [first, second] = [a, b].map((values) => name(...values.map((v) => [commonName(v)])));
        expect(first!.toString() === second!.toString()).toBe(first!.encoding === second!.encoding);
      }),
    );
  });
});

describe('a name lies within another', () => {
  const base = name([commonName('Example')]);

  test.each([
    ['itself', [[commonName('Example')]], true],
    ['itself, in another type, case and space', [[commonName(' EXAMPLE', PRINTABLE)]], true],
    ['its parts go on', [[commonName('Example')], [commonName('a')]], true],
    ['another', [[commonName('Examples')]], false],
    ['its parts come later', [[commonName('a')], [commonName('Example')]], false],
    ['itself, with a soft hyphen', [[commonName('Exam\u00adple')]], true],
    ['itself, with spaces of no width', [[commonName('\u200bExample\u200b')]], true],
    ['itself, with a byte order mark', [[commonName('\ufeffExample')]], true],
    [
      'itself, with a NUL and an object replacement character',
      [[commonName('E\0xample\ufffc')]],
      true,
    ],
    ['itself, with the control character NEL', [[commonName('Example\u0085')]], true],
    ['another, in two words', [[commonName('Exam\u0085ple')]], false],
    ['it has more in one part', [[commonName('Example'), commonName('a')]], false],
    ['it has a value that is not a text', [[commonName(BITS, BIT_STRING)]], undefined],
    ['it has one in a later part', [[commonName('Example')], [commonName(BITS, BIT_STRING)]], true],
    [
      'it has one, and more than the base',
      [[commonName(BITS, BIT_STRING), commonName('a')]],
      false,
    ],
    ['it is empty', [], false],
  ] as const)('%s: %#', (_title, parts, answer) => {
    expect(name(...parts).isWithin(base)).toBe(answer);
  });

  test('where both have the same value that is not a text; undefined with two such values', () => {
    const [bits, others] = [BITS, Buffer.of(7, 0)].map((value) =>
      name([commonName(value, BIT_STRING)]),
    );
    expect(bits!.isWithin(bits!)).toBe(true);
    expect(bits!.isWithin(others!)).toBeUndefined();
    expect(name([commonName(bits!.encoding)]).isWithin(bits!)).toBeUndefined();
  });

  test('not where one part differs, whatever the rest is', () => {
    const [first, second] = [commonName('a'), commonName('b')].map((part) =>
      name([commonName(BITS, BIT_STRING)], [part]),
    );
    expect(first!.isWithin(second!)).toBe(false);
    expect(first!.isWithin(name([commonName('Example')], [commonName('b')]))).toBe(false);
  });

  test('whatever the order of the attributes of one part', () => {
    const [a, b] = [commonName('a'), attribute(UNNAMED, der(UTF8, 'b'))];
    expect(name([a, b]).isWithin(name([b, a]))).toBe(true);
  });
});
