// Finds Jasypt values, `ENC(…)`, and replaces them by `{cipher}` values.
import { describe, expect, test } from '@jest/globals';
import { assert, constantFrom, property, stringMatching } from 'fast-check';
import { readProperties } from '../properties-reader.js';
import { readYaml } from '../yaml-reader.js';
import {
  findProtectedValues,
  replaceProtectedValues,
  type SourceKind,
} from './protected-values.js';

const CIPHER = 'v1.new.AAAA';

const found = (text: string, kind: SourceKind) =>
  findProtectedValues(text, kind, 'f').map(({ line, key, cipher }) => `${line} ${key}=${cipher}`);

const replaced = (text: string, kind: SourceKind): string =>
  replaceProtectedValues(
    text,
    new Map(findProtectedValues(text, kind, 'f').map((value) => [value, CIPHER] as const)),
  );

describe('not a Jasypt value is', () => {
  test.each<[SourceKind, string]>([
    ['yaml', 'a: ENC(x'],
    ['yaml', 'a: x ENC(x)'],
    ['yaml', 'a: ENC(x) y'],
    ['yaml', 'a: "ENC(x);"'],
    ['yaml', 'a: enc(x)'],
    ['yaml', 'a: ENC (x)'],
    ['yaml', 'ENC(x): a'],
    ['yaml', 'a: b # ENC(x)'],
    ['properties', 'a=b ENC(x)'],
    ['properties', '# a=ENC(x)'],
  ])('%s %j', (kind, text) => {
    expect(found(text, kind)).toEqual([]);
    expect(replaced(text, kind)).toBe(text);
  });
});

describe('a Jasypt value becomes a {cipher} value, with quotes where it needs them', () => {
  test.each<[SourceKind, string, string, string]>([
    ['yaml', 'a: ENC(a+b/c=) # c\r\nb: 1', '1 a=a+b/c=', `a: '{cipher}${CIPHER}' # c\r\nb: 1`],
    ['yaml', "a: 'ENC(x)'", '1 a=x', `a: '{cipher}${CIPHER}'`],
    ['yaml', 'a: " ENC( x ) "', '1 a=x', `a: "{cipher}${CIPHER}"`],
    ['yaml', '{"a": "ENC(x)"}', '1 a=x', `{"a": "{cipher}${CIPHER}"}`],
    ['yaml', 'a: {b: [ENC(x), 1]}', '1 a.b[0]=x', `a: {b: ['{cipher}${CIPHER}', 1]}`],
    ['yaml', 'a: &k !!str ENC(x)', '1 a=x', `a: &k !!str '{cipher}${CIPHER}'`],
    ['yaml', 'a: |\n  ENC(x)\nb: 1', '2 a=x', `a: |-\n  {cipher}${CIPHER}\nb: 1`],
    ['yaml', 'a: ENC(x\n  y)\nb: 1', '1 a=x y', `a: '{cipher}${CIPHER}'\nb: 1`],
    ['properties', 'a = ENC(x)\nb=1', '1 a=x', `a = {cipher}${CIPHER}\nb=1`],
    ['properties', 'a=ENC(x\\\n  y)', '1 a=xy', `a={cipher}${CIPHER}`],
  ])('%s %j', (kind, text, value, after) => {
    expect(found(text, kind)).toEqual([value]);
    expect(replaced(text, kind)).toBe(after);
  });
});

test('the readers read a replaced Jasypt value as a {cipher} value', () => {
  const yaml = ['a: #', "a: '#'", 'a: "#"', '[#]', '{a: #}', 'a: |\n  #\n', 'a: >-\n  #', '- #'];
  const forms = constantFrom(...yaml.map((form) => ['yaml', form] as const), [
    'properties',
    'a: #',
  ] as const);
  assert(
    property(forms, stringMatching(/^[\w+/]{1,80}={0,2}$/), ([kind, form], text) => {
      const after = replaced(form.replace('#', `ENC(${text})`), kind);
      const [document] = (kind === 'yaml' ? readYaml : readProperties)(after, 'f');
      const values = [...(document?.properties.values() ?? [])].map(({ value }) => value);
      expect(values).toEqual([`{cipher}${CIPHER}`]);
    }),
  );
});
