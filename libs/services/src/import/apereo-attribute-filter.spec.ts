import { describe, expect, test } from '@jest/globals';
import { CAS, map, readFile, releasing, set } from '../../test/apereo-file.js';

const FILTER = `${CAS}.support.RegisteredService`;

/** All attributes through a filter, after the other members. */
const filtered = (kind: string, filter: object, policy = releasing('ReturnAll')): object => {
  const { attributeReleasePolicy } = policy as Readonly<Record<string, object>>;
  const attributeFilter = { '@class': `${FILTER}${kind}AttributeFilter`, ...filter };
  return { attributeReleasePolicy: { attributeFilter, ...attributeReleasePolicy } };
};

describe('a service is disabled, and the member named, by', () => {
  test.each<[string, object, string]>([
    ...['Chaining', 'Scripted', 'ReverseMappedRegex', 'MutantRegex'].map(
      (kind): [string, object, string] => [
        `a filter of attributes of another kind: ${kind}`,
        filtered(kind, { patterns: map({ a: 'x' }) }),
        'attributeReleasePolicy.attributeFilter',
      ],
    ),
    ...['(?!a).*', 'a++a', undefined, set('a')].map((pattern): [string, object, string] => [
      `a filter by ${JSON.stringify(pattern)}`,
      filtered('Regex', { pattern }),
      'attributeReleasePolicy.attributeFilter.pattern',
    ]),
    [
      'a filter of one attribute by a pattern of Java',
      filtered('MappedRegex', { patterns: map({ a: '.*', b: '(?!x).*' }) }),
      'attributeReleasePolicy.attributeFilter.patterns.b',
    ],
    [
      'a filter of one attribute by several patterns',
      filtered('MappedRegex', { patterns: map({ a: set('x', 'y') }) }),
      'attributeReleasePolicy.attributeFilter.patterns.a',
    ],
    [
      'a filter without patterns',
      filtered('MappedRegex', {}),
      'attributeReleasePolicy.attributeFilter.patterns',
    ],
    ...['caseInsensitive', 'completeMatch', 'excludeUnmappedAttributes'].map(
      (flag): [string, object, string] => [
        `a filter whose ${flag} is no boolean`,
        filtered('MappedRegex', { patterns: map({ a: 'x' }), [flag]: 'x' }),
        'attributeReleasePolicy.attributeFilter',
      ],
    ),
    [
      'an unknown member of a filter',
      filtered('Regex', { pattern: '.*', strict: true }),
      'attributeReleasePolicy.attributeFilter.strict',
    ],
  ])('%s', (_rule, fields, member) => {
    const { definition, notUnderstood, taken } = readFile(fields);
    expect(notUnderstood.map((note) => note.member)).toContain(member);
    expect(taken).not.toContain(member);
    expect(definition.enabled).toBe(false);
  });
});

describe('taken is', () => {
  test.each<[string, object, object]>([
    [
      'values that match as a whole',
      filtered('Regex', { pattern: '^\\w{3}$' }),
      { attributeRelease: { kind: 'all' }, releasedValues: { '*': ['^\\w{3}$'] } },
    ],
    [
      'values of some attributes, of which a part matches, in any letters',
      filtered('MappedRegex', { patterns: map({ memberOf: 'adm', uid: '^\\d+$' }) }),
      {
        attributeRelease: { kind: 'all' },
        releasedValues: { memberOf: ['(?i).*(?:adm).*'], uid: ['(?i)^\\d+$'] },
      },
    ],
    [
      'whole values, as they are written',
      filtered('MappedRegex', {
        patterns: map({ memberOf: 'adm' }),
        completeMatch: true,
        caseInsensitive: 'false',
      }),
      { releasedValues: { memberOf: ['adm'] } },
    ],
    ...(
      [
        [
          releasing('ReturnAll', { excludedAttributes: set('B') }),
          { kind: 'allowed', names: ['a'] },
        ],
        [
          releasing('ReturnAllowed', { allowedAttributes: set('b', 'c') }),
          { kind: 'allowed', names: ['b'] },
        ],
        [releasing('ReturnAllowed', { allowedAttributes: set('c') }), { kind: 'none' }],
        [
          releasing('ReturnMapped', { allowedAttributes: map({ x: set('a', 'c'), y: 'z' }) }),
          { kind: 'mapped', names: { x: ['a'] } },
        ],
        [releasing('ReturnMapped', { allowedAttributes: map({ a: 'z' }) }), { kind: 'none' }],
      ] as const
    ).map(([policy, attributeRelease]): [string, object, object] => [
      `the attributes of a filter alone: ${JSON.stringify(attributeRelease)}`,
      filtered(
        'MappedRegex',
        { patterns: map({ a: '.*', b: '.*' }), excludeUnmappedAttributes: true },
        policy,
      ),
      { attributeRelease },
    ]),
  ])('%s', (_rule, fields, expected) => {
    const { definition, notUnderstood } = readFile(fields);
    expect(notUnderstood).toEqual([]);
    expect(definition).toMatchObject(expected);
  });
});
