import { describe, expect, test } from '@jest/globals';
import { array, assert, constantFrom, property } from 'fast-check';
import { NumberLiteral, type PropertyDocument, type Scalar } from './property-document.js';
import { PropertySourceError } from './property-source-error.js';
import { readYaml } from './yaml-reader.js';

const plain = (value: Scalar): unknown =>
  value instanceof NumberLiteral ? Number(value.json) : value;

const contentOf = ({ properties }: PropertyDocument): [string, unknown][] =>
  [...properties].map(([key, { value }]) => [key, plain(value)]);

/** The keys of each document in their order, written `key=value`. */
const keysOf = (text: string): string[][] =>
  readYaml(text, 'f.yml').map((document) =>
    contentOf(document).map(([key, value]) => `${key}=${value}`),
  );

/** Each row is what Spring Boot 3.5.16 with SnakeYAML 2.4 made of the text. */
describe('as Spring Boot 3.5.16 reads it, YAML gives', () => {
  test.each<[string, string, string[]]>([
    ['dotted keys', 'a:\n  b:\n    c: x', ['a.b.c=x']],
    ['elements of lists', 'a: [x, {y: z}, [q]]', ['a[0]=x', 'a[1].y=z', 'a[2][0]=q']],
    ['elements at the indentation of their key', 'a:\n- x\n- y', ['a[0]=x', 'a[1]=y']],
    ['an empty text for what is not given', 'a:\nb: ~\nc: []\nd: {e}', ['a=', 'b=', 'c=', 'd.e=']],
    ['no key for an empty map', 'a: {}\nb: [{}, 1]\nc: [[]]', ['b[1]=1', 'c[0]=']],
    ['texts for quoted scalars', 'a: "1"\nb: \'yes\'\nc: "~"', ['a=1', 'b=yes', 'c=~']],
    ['keys in brackets after what they belong to', 'a: {"[b/1]": {"[c]": 1}}', ['a[b/1][c]=1']],
    ['keys with dots as they are', 'a.b:\n  c.d: 1', ['a.b.c.d=1']],
    [
      'keys that are no texts in brackets',
      '1: a\n1.5: b\n~: c\noff: d',
      ['[1]=a', '[1.5]=b', '[null]=c', '[false]=d'],
    ],
    [
      'the elements of a set',
      'a: !!set {x, y}\nb: !!set\n  ? z\nc: !!set {}',
      ['a[0]=x', 'a[1]=y', 'b[0]=z', 'c='],
    ],
    [
      'the keys of an ordered map',
      'a: !!omap [x: 1, y: {z: 2}]\nb: !!omap []',
      ['a.x=1', 'a.y.z=2'],
    ],
    [
      'lists and maps as keys, as Java prints them',
      '? [a, b]\n: 1\nx:\n  ? {k: [~, 0x1F], l: yes}\n  : 2\n? !!set {c, d}\n: 3\n? []\n: 4',
      ['[[a, b]]=1', 'x[{k=[, 31], l=true}]=2', '[[c, d]]=3', '[[]]=4'],
    ],
    ['merges with their tag', 'a: &x {b: 1}\nc: {!!merge <<: *x}', ['a.b=1', 'c.b=1']],
    ['octal keys by their number', 'a: {0777: x}', ['a[511]=x']],
    ['blank keys', '"": {x: 1}\na:\n  "": {"": 2}\n  " s ": 3', ['x=1', 'a..=2', 'a. s =3']],
    ['Unicode', 'é: 😀\n😀: {b: "\\U0001F600\\u00e9"}', ['é=😀', '😀.b=😀é']],
    [
      'the later of two spellings, at the place of the first',
      'a.b: 1\nx: 0\na: {b: 2}',
      ['a.b=2', 'x=0'],
    ],
    [
      'a URL as it is',
      'a: http://x:1/y#z\nb: [http://x:1/y]',
      ['a=http://x:1/y#z', 'b[0]=http://x:1/y'],
    ],
    ['a protected value in quotes', "a: '{cipher}abc'", ['a={cipher}abc']],
    ['no comments', '# c\na: x # c\nb: x#y', ['a=x', 'b=x#y']],
    ['text of several lines', 'a: x\n  y\n\n  z\nb: "p\n  q"', ['a=x y\nz', 'b=p q']],
    ['what anchors are for', 'a: &x {b: 1}\nc: *x\nd: [*x]', ['a.b=1', 'c.b=1', 'd[0].b=1']],
    [
      'the anchor given last before an alias',
      'a: &x [&y 1]\nb: &y 2\nc: *x\nd: *y',
      ['a[0]=1', 'b=2', 'c[0]=1', 'd=2'],
    ],
    [
      'what a directive changes nothing about',
      '%YAML 1.2\n---\na: 0o7\nb: yes',
      ['a=0o7', 'b=true'],
    ],
    [
      'brackets that close where their key begins',
      'a: [\n  1,\n  2\n]\nb: {\n  c: d\n}',
      ['a[0]=1', 'a[1]=2', 'b.c=d'],
    ],
    ['an empty text for a document of keys', '{a, b: }', ['a=', 'b=']],
    [
      'line ends of any system',
      'a: |\r\n  x\r\n  y\r\nb: 1\rc: 2\u0085d: 3',
      ['a=x\ny\n', 'b=1', 'c=2', 'd=3'],
    ],
    ['no byte order mark', '\uFEFFa: 1', ['a=1']],
  ])('%s', (_rule, text, expected) => {
    expect(keysOf(text)).toEqual([expected]);
  });

  test.each([
    ['|\n  x\n  y\n', 'x\ny\n'],
    ['|-\n  x\n   y\n', 'x\n y'],
    ['|+\n  x\n\n', 'x\n\n'],
    ['>\n  x\n  y\n\n  z\n', 'x y\nz\n'],
    ['>-\n  x\n  y\n', 'x y'],
    ['|2\n    x\n', '  x\n'],
    ['|\n  x', 'x'],
    ['>+\n\n  x', '\nx'],
    ['|', ''],
  ])('of the block %j the text %j', (block, expected) => {
    expect(readYaml(`a: ${block}`, 'f')[0]?.properties.get('a')?.value).toBe(expected);
  });

  test.each<[string, string, string[]]>([
    [
      'where the merge is',
      'b: &b {x: 1, y: 2}\nd: {<<: *b, y: 3, z: 4}',
      ['d.x=1', 'd.y=3', 'd.z=4'],
    ],
    ['after the keys before it', 'b: &b {x: 1, y: 2}\nd: {y: 3, <<: *b}', ['d.y=3', 'd.x=1']],
    [
      'of several the first',
      'b: &b {x: 1}\nc: &c {x: 2, y: 5}\nd: {<<: [*b, *c]}',
      ['d.x=1', 'd.y=5'],
    ],
    ['of two merges both', 'd: {<<: {x: 1}, <<: {x: 2, y: 2}}', ['d.x=1', 'd.y=2']],
    [
      'what is merged into it',
      'b: &b {p: {q: 1}}\nd: {<<: {<<: *b, z: 1}, p.q: 2}',
      ['d.p.q=2', 'd.z=1'],
    ],
    ['a map whole or not at all', 'b: &b {p: {q: 1}}\nd: {<<: *b, p: {r: 2}}', ['d.p.r=2']],
    ['nothing of nothing', 'd: {<<: {}, x: 1}\nd2: {<<: []}', ['d.x=1']],
    ['a key in quotes is none', 'd: {"<<": {x: 1}}', ['d.<<.x=1']],
  ])('of a merge (<<) %s', (_rule, text, expected) => {
    expect(keysOf(text)[0]?.filter((key) => key.startsWith('d'))).toEqual(expected);
  });

  test.each<[string, string, string[][]]>([
    ['in their order', 'a: 1\n---\nb: 2\n', [['a=1'], ['b=2']]],
    [
      'without those that hold nothing',
      '---\n---\na: 1\n---\n~\n---\n[]\n---\n""\n---\n# c\n',
      [['a=1']],
    ],
    ['with those of an empty map', 'a: 1\n---\n{}\n', [['a=1'], []]],
    ['after their end marks', 'a: 1\n...\n---\nb: 2\n...\n', [['a=1'], ['b=2']]],
    [
      'of a text alone, as `document`',
      'a: 1\n---\ntext\n---\n42',
      [['a=1'], ['document=text'], ['document=42']],
    ],
    ['of a list alone, as `document[0]`', '- a\n- x: 1', [['document[0]=a', 'document[1].x=1']]],
    ['none of an empty file', '', []],
    ['none of comments', '# a\n', []],
  ])('documents %s', (_rule, text, expected) => {
    expect(keysOf(text)).toEqual(expected);
  });

  test.each<[string, Record<string, string>]>([
    ['a: 1\nb:  x\n"c": y', { a: '1:4', b: '2:5', c: '3:6' }],
    [
      'a:\nb: # c\nc: [ ]\nd:\n  - \n  -  x',
      { a: '1:3', b: '2:3', c: '3:4', 'd[0]': '5:4', 'd[1]': '6:6' },
    ],
    ['a: {b, c: 1}', { 'a.b': '1:6', 'a.c': '1:11' }],
    ['a: {😀: b, c: d}', { 'a.😀': '1:8', 'a.c': '1:14' }],
    ['a: &x 5\nb: *x\nc: !!str\n  y', { a: '1:4', b: '1:4', c: '3:4' }],
    ['b: &b {x: 1}\nd:\n  <<: *b', { 'b.x': '1:11', 'd.x': '1:11' }],
    ['a: |\r\n  x\r\nb: 1', { a: '1:4', b: '3:4' }],
    ['a: 1\n---\nb: 2', { a: '1:4', b: '3:4' }],
  ])('in %j values at the positions %j', (text, expected) => {
    const positions = readYaml(text, 'f').flatMap(({ properties }) =>
      [...properties].map(([key, { origin }]) => [key, `${origin?.line}:${origin?.column}`]),
    );
    expect(Object.fromEntries(positions)).toEqual(expected);
  });
});

test('any text gives documents or the one error', () => {
  const signs = [...'ab01:-[]{}&*!|>"#,.~<\\\n\t ', '\u0000', '😀'];
  const pieces = constantFrom(...signs, '\n- ', ': ', '---\n', '<<: ', '&a ', '*a');
  const yamlish = array(pieces).map((chosen) => chosen.join(''));
  assert(
    property(yamlish, (text) => {
      try {
        expect(readYaml(text, 'f')).toBeInstanceOf(Array);
      } catch (error) {
        expect(error).toBeInstanceOf(PropertySourceError);
      }
    }),
  );
});
