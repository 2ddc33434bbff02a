import { describe, expect, test } from '@jest/globals';
import { CAS, map, readFile, releasing, set } from '../../test/apereo-file.js';

const FILTER = `${CAS}.support.RegisteredService`;

const policyOf = (name: string, fields: object = {}): unknown =>
  Object.values(releasing(name, fields))[0];

const chained = (policies: readonly unknown[], fields: object = {}): object =>
  releasing('Chaining', { policies: ['java.util.ArrayList', policies], ...fields });

describe('a service is disabled, and the member named, by', () => {
  test.each<[string, object, string]>([
    ['a chain without policies', releasing('Chaining', {}), 'attributeReleasePolicy.policies'],
    [
      'a chain with a policy that is not known',
      chained([{ '@class': `${CAS}.GroovyScriptAttributeReleasePolicy` }]),
      'attributeReleasePolicy.policies[0]',
    ],
    [
      'a chain in a chain',
      chained([policyOf('Chaining', { policies: [] })]),
      'attributeReleasePolicy.policies[0]',
    ],
    ...['NONE', 'SOURCE', 'destination', 5].map((mergingPolicy): [string, object, string] => [
      `a chain that merges by ${mergingPolicy}`,
      chained([policyOf('ReturnAll')], { mergingPolicy }),
      'attributeReleasePolicy.mergingPolicy',
    ]),
    ...[
      ['two attributes under one name', { a: 'x' }, { b: 'x' }],
      ['an attribute under the name of another', { a: 'b' }, { b: 'b' }],
    ].map(([what, one, other]): [string, object, string] => [
      `a chain that releases ${String(what)}`,
      chained([
        policyOf('ReturnMapped', { allowedAttributes: map(Object(one)) }),
        policyOf('ReturnMapped', { allowedAttributes: map(Object(other)) }),
      ]),
      'attributeReleasePolicy.policies',
    ]),
    [
      'a chain that releases all attributes, and renames one',
      chained([
        policyOf('ReturnAll'),
        policyOf('ReturnMapped', { allowedAttributes: map({ a: 'x' }) }),
      ]),
      'attributeReleasePolicy.policies',
    ],
    [
      'a chain that excludes attributes, and allows some',
      chained([
        policyOf('ReturnAll', { excludedAttributes: set('cn') }),
        policyOf('ReturnAllowed', { allowedAttributes: set('cn') }),
      ]),
      'attributeReleasePolicy.policies',
    ],
    [
      'a filter of one policy of a chain',
      chained([
        policyOf('ReturnAll', {
          attributeFilter: { '@class': `${FILTER}RegexAttributeFilter`, pattern: '.*' },
        }),
        policyOf('ReturnAllowed', { allowedAttributes: set('cn') }),
      ]),
      'attributeReleasePolicy.policies',
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
      'a chain of which no policy has default attributes',
      chained([policyOf('ReturnAll', { excludeDefaultAttributes: 'true' }), policyOf('DenyAll')]),
      { attributeRelease: { kind: 'all' }, defaultAttributes: false },
    ],
    [
      'a chain of which one policy has no default attributes',
      chained([policyOf('ReturnAll'), policyOf('DenyAll')]),
      { attributeRelease: { kind: 'all' }, defaultAttributes: true },
    ],
    ['a chain of none', chained([]), { attributeRelease: { kind: 'none' } }],
    [
      'a chain of one',
      chained([policyOf('ReturnAll', { excludedAttributes: set('cn') })]),
      { attributeRelease: { kind: 'all', excluded: ['cn'] } },
    ],
    [
      'a chain of names',
      chained(
        [
          policyOf('ReturnAllowed', { allowedAttributes: set('cn', 'mail') }),
          policyOf('ReturnAllowed', { allowedAttributes: set('mail', 'sn'), order: 1 }),
        ],
        { mergingPolicy: 'MULTIVALUED' },
      ),
      { attributeRelease: { kind: 'allowed', names: ['cn', 'mail', 'sn'] } },
    ],
    [
      'a chain of names and new names',
      chained(
        [
          policyOf('ReturnAllowed', { allowedAttributes: set('mail') }),
          policyOf('ReturnMapped', { allowedAttributes: map({ mail: 'email', uid: set('id') }) }),
          policyOf('ReturnAllowed', { allowedAttributes: set() }),
        ],
        { mergingPolicy: 'replace' },
      ),
      { attributeRelease: { kind: 'mapped', names: { mail: ['mail', 'email'], uid: ['id'] } } },
    ],
    [
      'a chain of all, and some of them',
      chained([policyOf('ReturnAll'), policyOf('ReturnAllowed', { allowedAttributes: set('cn') })]),
      { attributeRelease: { kind: 'all' } },
    ],
    [
      'a chain in which one policy holds the attributes of the protocol back',
      chained([
        policyOf('ReturnAll'),
        policyOf('ReturnAll', { authorizedToReleaseAuthenticationAttributes: false }),
      ]),
      { attributeRelease: { kind: 'all' }, protocolAttributes: false },
    ],
  ])('%s', (_rule, fields, expected) => {
    const { definition, notUnderstood } = readFile(fields);
    expect(notUnderstood).toEqual([]);
    expect(definition).toMatchObject(expected);
  });
});
