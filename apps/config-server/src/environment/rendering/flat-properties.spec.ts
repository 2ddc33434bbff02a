// The expectations are the answers of Spring Cloud Config 4.3.1.
import { describe, expect, test } from '@jest/globals';
import { NumberLiteral, type Property, type Scalar } from '@tessera/property-sources';
import type { PropertySource } from '../../backends/environment-backend.js';
import { flatProperties, flattenedProperties, resolvedFlatProperties } from './flat-properties.js';

/** The strongest first. */
function sourcesOf(...sources: readonly Record<string, Scalar>[]): readonly PropertySource[] {
  return sources.map((properties, index) => ({
    name: `source ${index}`,
    properties: new Map(Object.entries(properties).map(([key, value]) => [key, { value }])),
  }));
}

test.each<readonly [string, readonly Record<string, Scalar>[], string]>([
  ['nothing', [], ''],
  [
    'the stronger value in the place of the weaker',
    [
      { b: '2', c: '3' },
      { a: '1', b: '1' },
    ],
    'a: 1\nb: 2\nc: 3',
  ],
  ['elements of lists after all others', [{ 'l[0]': 'x', a: '1' }], 'a: 1\nl[0]: x'],
  [
    'a list from one source as a whole',
    [{ 'l[0]': '1' }, { 'l[0]': 'x', 'l[1]': 'y', m: 'z' }],
    'm: z\nl[0]: 1',
  ],
  [
    'a value as a line, not escaped',
    [{ a: 'x\ny: z', b: '', c: ' d ' }],
    'a: x\ny: z\nb: \nc:  d ',
  ],
  ['other types', [{ a: true, b: new NumberLiteral('511') }], 'a: true\nb: 511'],
])('%s', (_title, sources, expected) => {
  expect(flattenedProperties(flatProperties(sourcesOf(...sources)))).toBe(expected);
});

describe('placeholders', () => {
  const sources = sourcesOf(
    { port: new NumberLiteral('8080'), 'l[0]': 'strong' },
    {
      url: 'h:${port}/${no:${on}}',
      'l[1]': 'weak',
      on: true,
      el: '${l[0]} ${l[1]}',
      gone: '${gone.x}',
    },
  );

  test('are resolved by the sources, also by list elements that the flattened form omits', () => {
    expect(flattenedProperties(resolvedFlatProperties(sources))).toBe(
      'url: h:8080/true\non: true\nel: strong weak\ngone: ${gone.x}\nport: 8080\nl[0]: strong',
    );
  });

  test('keep the type of the number or boolean that they stand for', () => {
    const port = new NumberLiteral('8080');
    const resolved = resolvedFlatProperties(
      sourcesOf({
        port,
        text: '8080',
        one: '${port}',
        two: '${one}',
        more: 'h:${port}',
        other: '${text}',
        default: '${no:8080}',
        self: '${self}',
      }),
    );
    expect(resolved.get('one')).toEqual({ value: '8080', typed: port });
    expect(resolved.get('two')).toEqual({ value: '8080', typed: port });
    expect(resolved.get('more')).toEqual({ value: 'h:8080' });
    expect(resolved.get('other')).toEqual({ value: '8080' });
    expect(resolved.get('default')).toEqual({ value: '8080' });
    expect(resolved.get('self')).toEqual({ value: '${self}' });
  });

  // Spring reads placeholders in decrypted secrets.
  test('are not resolved in decrypted values, not even through other placeholders', () => {
    const secret = { value: 'a${u:x}\\${u}b${port}', isLiteral: true } as const;
    const properties = new Map<string, Property>([
      ['pw', secret],
      ['whole', { value: '${pw}' }],
      ['part', { value: '<${no:${pw}}>' }],
      ['port', { value: true }],
      ['one', { value: '${port}', isLiteral: true }],
      ['two', { value: '${one}' }],
    ]);
    const resolved = resolvedFlatProperties([{ name: 'source', properties }]);
    expect([...resolved].map(([, { value }]) => value)).toEqual([
      secret.value,
      secret.value,
      `<${secret.value}>`,
      true,
      '${port}',
      '${port}',
    ]);
    expect(resolved.get('two')).not.toHaveProperty('typed');
  });

  test('stay as written in the raw form', () => {
    expect(flatProperties(sources).get('url')).toEqual({ value: 'h:${port}/${no:${on}}' });
  });
});
