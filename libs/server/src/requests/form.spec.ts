import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/any-text.js';
import { Form } from './form.js';

const MALFORMED = { code: 'MALFORMED_REQUEST', status: 400 };

describe('a form', () => {
  test.each([
    ['nothing', '', undefined],
    ['an empty value', 'a=', ''],
    ['a name alone', 'a', ''],
    ['a plus as a space', 'a=b+c', 'b c'],
    ['an encoded plus', 'a=b%2Bc', 'b+c'],
    ['an encoded name', '%61=b', 'b'],
    ['an equals sign in the value', 'a=b=c', 'b=c'],
    ['an encoded ampersand', 'a=b%26c', 'b&c'],
    ['UTF-8, encoded', 'a=%C3%A9', 'é'],
    ['UTF-8, plain', 'a=é', 'é'],
    ['empty parts around it', '&&a=b&&', 'b'],
  ])('reads %s', (_, encoded, value) => {
    expect(Form.parse(encoded).one('a')).toBe(value);
  });

  test.each([
    ['a percent sign alone', 'a=%'],
    ['half an escape', 'a=%4'],
    ['an escape of no digits', 'a=%zz'],
    ['bytes that are no UTF-8', 'a=%ff'],
    ['an overlong encoding', 'a=%c0%af'],
    ['an encoded half of a surrogate pair', 'a=%ed%a0%80'],
    ['a malformed name', '%=a'],
    ['more parameters than anyone sends', 'a=1&'.repeat(1_001)],
  ])('refuses %s', (_, encoded) => {
    expect(() => Form.parse(encoded)).toThrow(expect.objectContaining(MALFORMED));
  });

  test('refuses a repeated parameter by name, also one that is far from the other', () => {
    expect(() => Form.parse('a=1&a=1').one('a')).toThrow('a is given more than once');
    expect(() => Form.parse('a=1&b=1&a=2').one('a')).toThrow('a is given more than once');
  });

  test.each(['\0', '\n', '\r', '\u001b', '\u007f', '\u0085'])(
    'refuses %j in a line',
    (character) => {
      const form = Form.parse(`a=${encodeURIComponent(`x${character}y`)}`);
      expect(() => form.line('a', 10)).toThrow('a contains control characters');
    },
  );

  test('bounds a line', () => {
    expect(() => Form.parse('a=12345').line('a', 4)).toThrow('a is longer than 4 characters');
    expect(Form.parse('a=1234').line('a', 4)).toBe('1234');
  });

  test.each(['__proto__', 'constructor', 'toString', 'a[]', 'a[b]'])(
    'takes %s for a name like any other',
    (name) => {
      const form = Form.parse(`${encodeURIComponent(name)}=x`);
      expect(form.one(name)).toBe('x');
      expect(form.has('a')).toBe(false);
      expect({}).not.toHaveProperty('x');
    },
  );

  test('has no parameter that was not sent', () => {
    const form = Form.parse('a=1');
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(form.one(name)).toBeUndefined();
    }
  });

  test('gives the rest without those named', () => {
    const rest = Form.parse('username=u&password=p&x=1&x=2&y=3').except('username', 'password');
    expect([...rest]).toEqual([
      ['x', ['1', '2']],
      ['y', ['3']],
    ]);
  });

  test('reads what any client encodes', () => {
    const entry = fc.tuple(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ([name]) => name }), (entries) => {
        const form = Form.parse(new URLSearchParams(entries).toString());
        for (const [name, value] of entries) expect(form.one(name)).toBe(value);
      }),
    );
  });

  test('never throws but to refuse', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        try {
          Form.parse(text);
        } catch (error) {
          expect(error).toMatchObject(MALFORMED);
        }
      }),
    );
  });
});
