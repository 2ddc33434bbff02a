import { describe, expect, test } from '@jest/globals';
import { array, assert, boolean, constantFrom, property, stringMatching, tuple } from 'fast-check';
import { readProperties } from '../properties-reader.js';
import { readYaml } from '../yaml-reader.js';
import {
  findEmbeddedValues,
  findProtectedValues,
  replaceProtectedValues,
  type SourceKind,
} from './protected-values.js';

const read = (text: string, kind: SourceKind) =>
  (kind === 'yaml' ? readYaml : readProperties)(text, 'f').map(
    ({ properties }) => new Map([...properties].map(([key, { value }]) => [key, value])),
  );

const found = (text: string, kind: SourceKind) =>
  findProtectedValues(text, kind, 'f').map(({ key, line, cipher }) => `${line} ${key}=${cipher}`);

/** Each value becomes `N0`, `N1` and so on. */
function replaced(text: string, kind: SourceKind): string {
  const values = findProtectedValues(text, kind, 'f');
  return replaceProtectedValues(
    text,
    new Map(values.map((value, index) => [value, `N${index}`] as const)),
  );
}

describe('an unreadable text gives an error with its line, without quoting it', () => {
  test.each<[SourceKind, string, string]>([
    [
      'yaml',
      'a: 1\nb: {cipher}geheim',
      'f, line 2, column 4: a value that begins with { needs quotes',
    ],
    ['yaml', 'a: "geheim', 'f, line 1, column 11: quotes are not closed'],
    ['yaml', 'a: \u0007', 'f, line 1: holds a control character'],
  ])('%s %j', (kind, text, message) => {
    const find = () => findProtectedValues(text, kind, 'f');
    expect(find).toThrow(expect.objectContaining({ code: 'SOURCE_UNREADABLE' }));
    expect(find).toThrow(message);
    expect(find).not.toThrow('geheim');
  });
});

test('the members of a set are values', () => {
  const text = 's: !!set\n  ? a\n  ? "{cipher}x"\nt: "{cipher}y"';
  expect(found(text, 'yaml')).toEqual(['3 s[1]=x', '4 t=y']);
});

test('in XML the text of entries is replaced, in any layout', () => {
  const text =
    '\uFEFF<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- {cipher}x -->\r\n<properties>\r\n<entry key="{cipher}k">😀</entry>\r\n  <entry key=\'a\' >{cipher}old</entry ><entry key="b">{cas-cipher}old</entry>\r\n<entry key="c">ENC(x)</entry>\n<entry key="d">{cipher}<!-- c -->x</entry><entry key="e"><![CDATA[{cipher}y]]></entry><entry key="f">&#123;cipher}z</entry></properties>';
  expect(found(text, 'xml')).toEqual(['5 a=old', '5 b=old', '6 c=x', '7 d=x', '7 e=y', '7 f=z']);
  expect(replaced(text, 'xml')).toBe(
    text
      .replace('>{cipher}old<', '>{cipher}N0<')
      .replace('{cas-cipher}old', '{cas-cipher}N1')
      .replace('ENC(x)', '{cipher}N2')
      .replace('{cipher}<!-- c -->x', '{cipher}N3')
      .replace('<![CDATA[{cipher}y]]>', '{cipher}N4')
      .replace('&#123;cipher}z', '{cipher}N5'),
  );
});

test.each<[SourceKind, string, string[]]>([
  ['yaml', 'db: {password: "${P:ENC(x+/=)}", a: ENC(x)}', ['1 db.password jasypt default']],
  [
    'yaml',
    'a:\n- "${A:${B: ENC(x)}}"\n- "${A:{cipher}x}"',
    ['2 a[0] jasypt default', '3 a[1] default'],
  ],
  ['yaml', 'a: "jdbc:x?password=ENC(x)"\nb: "x {cas-cipher}y"', ['1 a jasypt', '2 b']],
  ['yaml', 'a: ENC()\nb: "FENCE (x)"\nc: "write {cipher} first"\nd: "{cipher}x"', []],
  [
    'properties',
    'a=${P:ENC(x)}\nb[]=1,${P:ENC(x)}',
    ['1 a jasypt default', '2 b[1] jasypt default'],
  ],
  ['xml', '<properties>\n<entry key="a">${P:ENC(x)}</entry></properties>', ['2 a jasypt default']],
])('inside texts there are, in %s %j, %j', (kind, text, expected) => {
  const embedded = findEmbeddedValues(text, kind, 'f').map(({ line, key, isJasypt, isDefault }) =>
    [line, key, isJasypt && 'jasypt', isDefault && 'default'].filter(Boolean).join(' '),
  );
  expect(embedded).toEqual(expected);
});

describe('not protected is', () => {
  test.each<[SourceKind, string]>([
    ['yaml', 'a: "x {cipher}y"'],
    ['yaml', 'a: " {cipher}y"'],
    ['yaml', '# {cipher}y\na: b # {cipher}y'],
    ['yaml', '"{cipher}y": a'],
    ['yaml', 'a: "{Cipher}y"'],
    ['yaml', 'a: |2\n   {cipher}y'],
    ['yaml', '{cipher: y}'],
    ['yaml', ''],
    ['properties', '# a={cipher}y\n! a={cipher}y'],
    ['properties', 'a=x{cipher}y'],
    ['properties', 'a=\\ {cipher}y'],
    ['properties', '\\={cipher}y'],
    ['properties', ''],
  ])('%s %j', (kind, text) => {
    expect(found(text, kind)).toEqual([]);
    expect(replaced(text, kind)).toBe(text);
  });
});

describe('protected values have a line, a key and a ciphertext', () => {
  test.each<[SourceKind, string, string[]]>([
    ['yaml', "a:\n  - {b: '{cipher}x'}\n  - ['{cipher}y']", ['2 a[0].b=x', '3 a[1][0]=y']],
    ['yaml', '"[a/b]": {"1": "{cipher}x", 2: "{cipher}y"}', ['1 [a/b].1=x', '1 [a/b][2]=y']],
    ['yaml', 'a: 1\n---\na: "{cipher}x"\n---\n"{cipher}y"', ['3 a=x', '5 document=y']],
    ['yaml', 'a: &k "{cipher}x"\nb: *k\n*k : "{cipher}y"', ['1 a=x', '3 {cipher}x=y']],
    ['yaml', 'a: &k\n  b: "{cipher}x"\nc: {<<: *k, d: *k}', ['2 a.b=x']],
    ['yaml', 'a: !!str "{cipher}x"\n? [b]\n: "{cipher}y"', ['1 a=x', '3 ?=y']],
    ['yaml', 'a: "{cipher}x"\na: "{cipher}y"', ['1 a=x', '2 a=y']],
    ['yaml', '{"a": {"b": ["{cas-cipher}{key:k}x"]}}', ['1 a.b[0]={key:k}x']],
    ['yaml', 'a: >-\n  {cipher}x\n  y\n\nb: "{cipher}x\\\n  y "', ['2 a=x y', '5 b=xy']],
    ['yaml', 'a: "\\x7bcipher}x"', ['1 a=x']],
    ['yaml', '\u{1F600}: "{cipher}x"\u0085b: "{cipher}y"', ['1 \u{1F600}=x', '2 b=y']],
    ['properties', 'a.b = {cipher}x\nc: {cipher}y', ['1 a.b=x', '2 c=y']],
    ['properties', 'a {cipher}x\\=\\:\\\n   y ', ['1 a=x=:y']],
    ['properties', 'a=\\{cipher}x\nb=\\u007bcipher}y', ['1 a=x', '2 b=y']],
    ['properties', 'a[]={cipher}x, {cipher}y,z', ['1 a[0]=x', '1 a[1]=y']],
    ['properties', 'a={cipher}x\n#---\na={cipher}y', ['1 a=x', '3 a=y']],
  ])('%s %j', (kind, text, expected) => {
    expect(found(text, kind)).toEqual(expected);
  });
});

describe('only the value is replaced', () => {
  test.each<[SourceKind, string, string]>([
    ['yaml', "a: '{cipher}x' # c", "a: '{cipher}N0' # c"],
    ['yaml', '\uFEFFa:   "{cas-cipher}x "\r\n', '\uFEFFa:   "{cas-cipher}N0"\r\n'],
    ['yaml', 'a: "{cipher}x\\\r\n   y"\r\nb: 1\r\n', 'a: "{cipher}N0"\r\nb: 1\r\n'],
    ['yaml', 'a: &k !!str "{cipher}x"\nb: *k', 'a: &k !!str "{cipher}N0"\nb: *k'],
    ['yaml', '{"a":["{cipher}x","{cipher}y"]}\n', '{"a":["{cipher}N0","{cipher}N1"]}\n'],
    ['yaml', 'a: |- # c\r\n   {cipher}x\r\nb: 1', 'a: |- # c\r\n   {cipher}N0\r\nb: 1'],
    ['yaml', 'a: >2-\n  {cipher}x\n  y  \n\nb: 1', 'a: >2-\n  {cipher}N0\n\nb: 1'],
    ['yaml', 'a: |\n  {cipher}x\n', 'a: |-\n  {cipher}N0\n'],
    ['yaml', '- >+2 # c\n   {cipher}x\n\n\n- 1', '- >+2 # c\n   {cipher}x\n\n\n- 1'],
    ['yaml', '- >+2 # c\n  {cipher}x\n\n\n- 1', '- >2- # c\n  {cipher}N0\n\n\n- 1'],
    ['properties', '  a : {cipher}x\\\r\n  y\r\n# c\r\n', '  a : {cipher}N0\r\n# c\r\n'],
    ['properties', 'a=\\\n  {cipher}x', 'a=\\\n  {cipher}N0'],
    ['properties', 'a={ci\\\n  pher}x', 'a={cipher}N0'],
    ['properties', '\uFEFFa[]=1,\\\n {cipher}x ,2', '\uFEFFa[]=1,\\\n {cipher}N0,2'],
    ['properties', 'a={cipher}x  \rb={cipher}y', 'a={cipher}N0\rb={cipher}N1'],
  ])('%s %j', (kind, text, expected) => {
    expect(replaced(text, kind)).toBe(expected);
  });

  test('by a ciphertext and by nothing else', () => {
    const text = 'a={cipher}x';
    const [value] = findProtectedValues(text, 'properties', 'f');
    const replace = (by: string) => () => replaceProtectedValues(text, new Map([[value!, by]]));
    expect(replace('a"b')).toThrow(RangeError);
    expect(replace('a\nb')).toThrow(RangeError);
    expect(replace('')).toThrow(RangeError);
  });
});

const CIPHER = stringMatching(/^(\{key:[a-z]+\})?[\w+/]{1,40}={0,2}$/);
/** How a value may be written; `@` is the value. */
const STYLES = {
  yaml: [
    "'@'",
    '"@"  # it\'s "quoted"',
    '|-\n  @',
    '|\n  @\n',
    '>+ # +-\n   @\n\n',
    '{a: [1, "@"]}',
    "\n  - '@'\n  - {a.b: x}",
    '\n\n  "@"',
    'plain',
    '"\\\n  @"',
  ],
  properties: ['@', '\\\n\t@', ' @ ', 'plain', '@ \\\n', 'a @ b', '@\n# comment {cipher}x'],
};
const SEPARATORS = { yaml: [': '], properties: ['=', ' : ', ':', '\t'] };

/** Texts of many values, each under a key of its own, with line ends of one sort. */
const texts = (kind: 'yaml' | 'properties') =>
  tuple(
    array(tuple(constantFrom(...STYLES[kind]), constantFrom(...SEPARATORS[kind]), CIPHER)),
    constantFrom('\n', '\r\n', '\r'),
    boolean(),
  ).map(([rows, lineEnd, mark]) => {
    const lines = rows.map(([style, separator, cipher], index) => {
      return `k${index}${separator}${style.replace('@', () => `{cipher}${cipher}`)}\n`;
    });
    return (mark ? '\uFEFF' : '') + lines.join('').replaceAll('\n', lineEnd);
  });

describe.each(['yaml', 'properties'] as const)('whatever %s looks like', (kind) => {
  test('values replaced by themselves change nothing', () => {
    assert(
      property(texts(kind), (text) => {
        const values = findProtectedValues(text, kind, 'f');
        const same = new Map(values.map((value) => [value, value.cipher] as const));
        expect(replaceProtectedValues(text, same)).toBe(text);
      }),
    );
  });

  test('all that is around the values stays', () => {
    assert(
      property(texts(kind), (text) => {
        const after = replaced(text, kind);
        const spans = findProtectedValues(text, kind, 'f');
        const spansAfter = findProtectedValues(after, kind, 'f');
        expect(textAround(after, spansAfter)).toBe(textAround(text, spans));
      }),
    );
  });

  test('the readers see the new values, and all others as they were', () => {
    assert(
      property(texts(kind), (text) => {
        const values = new Map(
          findProtectedValues(text, kind, 'f').map(({ key }, index) => [key, `{cipher}N${index}`]),
        );
        const expected = read(text, kind).map((properties) =>
          [...properties].map(([key, value]) => [key, values.get(key) ?? value]),
        );
        expect(read(replaced(text, kind), kind).map((properties) => [...properties])).toEqual(
          expected,
        );
      }),
    );
  });
});

/** The text without the values, and without the chomping indicators of blocks. */
function textAround(text: string, values: ReturnType<typeof findProtectedValues>): string {
  let position = 0;
  const pieces = values.map(({ span }) => {
    const before = text.slice(position, span.start);
    position = span.end;
    return before;
  });
  return [...pieces, text.slice(position)].join('').replaceAll(/([|>]2?)[+-]?(?=[\s\d])/g, '$1');
}
