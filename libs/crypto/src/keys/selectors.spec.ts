import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { knownSelectorsOf, selectorsOf, selectorsOfBytes } from './selectors.js';

describe('the selectors in front of a text', () => {
  test.each([
    ['{foo:bar}x', 'foo'],
    ['{secret:bar}x', 'secret'],
    ['{key:a}{foo:}x', 'foo'],
    ['{KEY:a}x', 'KEY'],
  ])('%s: an unknown one is refused by name', (text, name) => {
    const fault = {
      code: 'SELECTOR_UNKNOWN',
      message: `unknown selector {${name}:…}: write {plain} before a text that starts so`,
    };
    expect(() => selectorsOf(text)).toThrow(expect.objectContaining(fault));
    expect(() => selectorsOfBytes(Buffer.from(text))).toThrow(expect.objectContaining(fault));
    expect(knownSelectorsOf(text)).toEqual({ alias: undefined, rest: text });
  });

  test.each([
    ['nothing', '', undefined, ''],
    ['no selector', 'secret', undefined, 'secret'],
    ['a key', '{key:a}secret', 'a', 'secret'],
    ['the last of two keys', '{key:a}{key:b}secret', 'b', 'secret'],
    ['a key of other letters', '{key:schlüssel €}secret', 'schlüssel €', 'secret'],
    ['a key without a name', '{key:}secret', '', 'secret'],
    ["what Spring's clients send", '{name:a}{profiles:b,c}{key:d}x', 'd', 'x'],
    ['a text that looks like selectors', '{plain}{key:a}x', undefined, '{key:a}x'],
    ['a key for such a text', '{key:a}{plain}{foo:b}x', 'a', '{foo:b}x'],
    ['a text that is escaped once', '{plain}{plain}x', undefined, '{plain}x'],
    ['JSON', '{"key":"a"}', undefined, '{"key":"a"}'],
    ['braces without a value', '{key}x', undefined, '{key}x'],
    ['braces that stay open', '{key:x', undefined, '{key:x'],
    ['braces in braces', '{key:{a}}x', undefined, '{key:{a}}x'],
    ['selectors further on', 'x{key:a}', undefined, 'x{key:a}'],
  ])('%s', (_what, text, alias, rest) => {
    expect(selectorsOf(text)).toEqual({ alias, rest });
    expect(knownSelectorsOf(text)).toEqual({ alias, rest });
    const ofBytes = selectorsOfBytes(Buffer.from(text));
    expect(ofBytes).toEqual({ alias, rest: Buffer.from(rest) });
  });

  test('leave bytes as they are, text or not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ size: 'medium' }), (bytes) => {
        const { rest } = selectorsOfBytes(Buffer.concat([Buffer.from('{plain}'), bytes]));
        expect(rest.equals(bytes)).toBe(true);
      }),
    );
  });
});
