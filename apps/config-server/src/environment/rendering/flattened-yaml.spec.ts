// The expectations are the output of Spring Cloud Config 4.3.1 for the same properties, unless a row says otherwise.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { NumberLiteral, readYaml, scalarText, type Scalar } from '@tessera/property-sources';
import { anyText } from '../../../../../test/support/any-text.js';
import { flattenedYaml } from './flattened-yaml.js';

function yaml(properties: Record<string, Scalar>): string {
  const entries = Object.entries(properties).map(([key, value]) => [key, { value }] as const);
  return flattenedYaml(new Map(entries));
}

const FIRST = 'aaaaaaaaa bbbbbbbbbbbbb ccccccccccccc dddddddddddd eeeeeeeeeeeeee ffffffffffffffff';
const WORDS = `${FIRST} gggg hhhh`;

describe('a text', () => {
  test.each([
    ['plain', 'x: plain'],
    ['', "x: ''"],
    ['padded  ', "x: 'padded  '"],
    [' padded', "x: ' padded'"],
    ['007', "x: '007'"],
    ['1_000', "x: '1_000'"],
    ['1.5e3', "x: '1.5e3'"],
    ['12:30:45', "x: '12:30:45'"],
    ['.inf', "x: '.inf'"],
    // An integer of YAML 1.2; Spring writes it without quotes.
    ['0o17', "x: '0o17'"],
    ['2024-01-02', "x: '2024-01-02'"],
    ['yes', "x: 'yes'"],
    ['null', "x: 'null'"],
    ['~', "x: '~'"],
    ['<<', "x: '<<'"],
    // The value of a map in YAML 1.1, which PyYAML refuses; Spring writes it without quotes.
    ['=', "x: '='"],
    ['!prod', "x: '!prod'"],
    ['<n/a>', 'x: <n/a>'],
    ["it's: a", "x: 'it''s: a'"],
    ['x:', "x: 'x:'"],
    ['x #y', "x: 'x #y'"],
    ['x#y', 'x: x#y'],
    ['- y', "x: '- y'"],
    ['-y', 'x: -y'],
    ['?', "x: '?'"],
    ['---', "x: '---'"],
    ['a, [b]', 'x: a, [b]'],
    ['http://h:80/${p}', 'x: http://h:80/${p}'],
    ['café 😀', 'x: café 😀'],
    ['a\tb', 'x: "a\\tb"'],
    ['line1\nline2\n', 'x: |\n  line1\n  line2'],
    ['line1\n\nline2', 'x: |-\n  line1\n\n  line2'],
    ['x\n\n', 'x: |+\n  x\n'],
    ['  x\ny', 'x: |2-\n    x\n  y'],
    [WORDS, `x: ${FIRST}\n  gggg hhhh`],
    [`[${WORDS}`, `x: '[${FIRST}\n  gggg hhhh'`],
    // Spring writes `!!binary`, which clients read as bytes.
    ['a\u0001\u0085b', 'x: "a\\u0001\\u0085b"'],
    // Spring folds it over several lines.
    ['x \ny', 'x: "x \\ny"'],
  ])('%j', (text, expected) => {
    expect(yaml({ x: text })).toBe(`${expected}\n`);
  });

  test.each([
    [new NumberLiteral('8080'), 'x: 8080'],
    [true, 'x: true'],
    [NumberLiteral.NEGATIVE_INFINITY, 'x: -.inf'],
  ])('a placeholder for %j keeps its type', (typed, expected) => {
    const value = scalarText(typed);
    expect(flattenedYaml(new Map([['x', { value, typed }]]))).toBe(`${expected}\n`);
  });
});

test.each<readonly [string, Record<string, Scalar>, string]>([
  ['nothing', {}, '{}'],
  [
    'other types',
    { a: true, b: new NumberLiteral('12345678901234567890') },
    'a: true\nb: 12345678901234567890',
  ],
  [
    'numbers without bounds, in which Spring writes texts',
    {
      a: NumberLiteral.INFINITY,
      b: NumberLiteral.NEGATIVE_INFINITY,
      c: NumberLiteral.NOT_A_NUMBER,
    },
    'a: .inf\nb: -.inf\nc: .nan',
  ],
  ['maps', { 'a.b.c': '1x', 'a.d': 'x' }, 'a:\n  b:\n    c: 1x\n  d: x'],
  ['lists at the indent of their key', { 'a.b[0]': 'x', 'a.b[1]': 'y' }, 'a:\n  b:\n  - x\n  - y'],
  ['lists of maps', { 'n[0].h': 'a', 'n[0].p': 'x', 'n[1].h': 'b' }, 'n:\n- h: a\n  p: x\n- h: b'],
  ['lists of lists', { 'n[0][1]': 'a', 'n[1][0].k': 'b' }, 'n:\n- - null\n  - a\n- - k: b'],
  [
    'names in brackets, split at their dots',
    { 'r[a.b/c]': 'x', 'r[d/1]': 'y', 'r[com.acme.Foo].z': 'z', '[t.l]': 't' },
    "r[a:\n  b/c]: x\nr[d/1]: y\nr[com:\n  acme:\n    Foo]:\n      z: z\n'[t':\n  l]: t",
  ],
  [
    'keys that need quotes',
    { true: 'x', 'a b': 'y', 'k: l': 'z', 'm\n': 'n' },
    "'true': x\na b: y\n'k: l': z\n\"m\\n\": n",
  ],
])('%s', (_title, properties, expected) => {
  expect(yaml(properties)).toBe(`${expected}\n`);
});

test.each(['r[a.b/c]', 'r[d/1]', 'r[com.acme.Foo].z', '[t.l].x', 'r[a.b][0]', 'a[0][x.y]'])(
  'the key %s reads back unchanged',
  (key) => {
    const [document] = readYaml(yaml({ [key]: 'x' }), 'x.yml');
    expect([...(document?.properties.keys() ?? [])]).toEqual([key]);
  },
);

describe('any text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ' ',
      '  ',
      '\n',
      ':',
      ': ',
      '#',
      ' #',
      '-',
      '- ',
      "'",
      '"',
      '\\',
      '|',
      '~',
      '007',
      '0o17',
      '1.5',
      'true',
    ),
    fc.constantFrom('\t', '\r', '\u0085', '\u00a0', '\u2028', '\ufeff', '😀', WORDS),
    fc.string({ maxLength: 4 }),
    anyText({ maxLength: 2 }),
  );
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

  test('reads back unchanged, by YAML 1.1 and 1.2', () => {
    fc.assert(
      fc.property(text, (value) => {
        const written = yaml({ 'a.x[0].y': value });
        const [document] = readYaml(written, 'x.yml');
        expect(document?.properties.get('a.x[0].y')?.value).toBe(value);
        expect(parse(written, { version: '1.2' })).toEqual({ a: { x: [{ y: value }] } });
      }),
      { numRuns: 200 },
    );
  });
});
