import { describe, expect, test } from '@jest/globals';
import { access, CAS, map, readFile, set } from '../../test/apereo-file.js';

/** Values that RE2 does not know, or that it may read in a laxer way than Apereo CAS. */
const UNKEPT: readonly (readonly [string, readonly string[]])[] = [
  ['look-ahead', ['(?!a).*']],
  ['a possessive quantifier', ['a++a']],
  ['an atomic group', ['(?>a|ab)c']],
  ['a back-reference', ['(a)\\1']],
  ['an intersection', ['[^a-z&&[^q]]']],
  ['a word boundary', ['.*\\badmin']],
  ['a class of vertical white space', ['[\\v\\p{L}]']],
  ['a brace that repeats nothing', ['{SSHA}.*']],
  ['a brace without a least number', ['a{,5}']],
  ['a group that Java names otherwise', ['(?P<x>a)']],
  ['a flag of another sense', ['(?U)\\w+']],
  ['flags that Apereo CAS carries to the next value', ['(?i)a', 'B']],
  ['a quotation without an end', ['\\Qa', 'b']],
  ['a pattern that is too large', ['a{1000}'.repeat(20)]],
  ['a script', ['groovy { return true }']],
];

describe('a service is disabled, and the member named, by', () => {
  test.each<[string, object, string]>([
    [
      'an unknown access strategy',
      {
        accessStrategy: {
          '@class': `${CAS}.TimeBasedRegisteredServiceAccessStrategy`,
          startingDateTime: '2030-01-01',
        },
      },
      'accessStrategy',
    ],
    ['an access strategy without a class', { accessStrategy: { enabled: true } }, 'accessStrategy'],
    ...UNKEPT.flatMap(([what, values]) =>
      ['requiredAttributes', 'rejectedAttributes'].map((field): [string, object, string] => [
        `${what} in ${field}`,
        access({ [field]: map({ a: set(...values), b: set('x') }) }),
        `accessStrategy.${field}.a`,
      ]),
    ),
    ...['\u00e9', '\\pL+', '\\x{e9}'].map((value): [string, object, string] => [
      `${value} in any letters`,
      access({ caseInsensitive: true, requiredAttributes: map({ a: set(value) }) }),
      'accessStrategy.requiredAttributes.a',
    ]),
    [
      'an unknown member of the strategy',
      access({ startingDateTime: '2030-01-01' }),
      'accessStrategy.startingDateTime',
    ],
    ...['yes', 1, []].map((value): [string, object, string] => [
      `case that is ignored by ${JSON.stringify(value)}`,
      access({ caseInsensitive: value, requiredAttributes: map({ a: set('x') }) }),
      'accessStrategy.caseInsensitive',
    ]),
    ...['no', 0, []].map((value): [string, object, string] => [
      `attributes that are required by ${JSON.stringify(value)}`,
      access({ requireAllAttributes: value, requiredAttributes: map({ a: set('x') }) }),
      'accessStrategy.requireAllAttributes',
    ]),
    ...[false, null, true, '', {}, 0].map((value): [string, object, string] => [
      `an unknown member of the strategy that is ${JSON.stringify(value)}`,
      access({ enabled: true, Enabled: value }),
      'accessStrategy.Enabled',
    ]),
    ['ssoEnabled in other letters', access({ ssoenabled: false }), 'accessStrategy.ssoenabled'],
    ...[null, '', 0, 1, 'yes', 'fAlse', ' true', []].map((value): [string, object, string] => [
      `enabled that is ${JSON.stringify(value)}`,
      access({ enabled: value }),
      'accessStrategy.enabled',
    ]),
    [
      'rejected attributes without values',
      access({ rejectedAttributes: map({ memberOf: set() }) }),
      'accessStrategy.rejectedAttributes.memberOf',
    ],
    ...['groovy { return true }', 'file:/x.groovy', 'classpath:/x.js'].map(
      (script): [string, object, string] => [
        `a required value that is a script: ${script}`,
        access({ requiredAttributes: map({ a: set(script) }) }),
        'accessStrategy.requiredAttributes.a',
      ],
    ),
    [
      'a login elsewhere alone, in quotes',
      access({ delegatedAuthenticationPolicy: { exclusive: 'true' } }),
      'accessStrategy.delegatedAuthenticationPolicy',
    ],
    [
      'required attributes that are no map',
      access({ requiredAttributes: ['x'] }),
      'accessStrategy.requiredAttributes',
    ],
    [
      'required values that are no texts',
      access({ requiredAttributes: map({ a: set(1) }) }),
      'accessStrategy.requiredAttributes',
    ],
    [
      'a required attribute without values',
      access({ requiredAttributes: map({ a: set(), b: set('x') }) }),
      'accessStrategy.requiredAttributes.a',
    ],
    ...[set(), [], 'NONE', '', false, null, 0, {}].map((values): [string, object, string] => [
      `a required attribute alone, with ${JSON.stringify(values)} for values`,
      access({ requiredAttributes: map({ a: values }) }),
      'accessStrategy.requiredAttributes.a',
    ]),
    ...['NONE', '', false, 0, [], set()].map((value): [string, object, string] => [
      `required attributes that are ${JSON.stringify(value)}`,
      access({ requiredAttributes: value }),
      'accessStrategy.requiredAttributes',
    ]),
    [
      'a login elsewhere alone',
      access({
        delegatedAuthenticationPolicy: {
          '@class': `${CAS}.DefaultRegisteredServiceDelegatedAuthenticationPolicy`,
          exclusive: true,
        },
      }),
      'accessStrategy.delegatedAuthenticationPolicy',
    ],
  ])('%s', (_rule, fields, member) => {
    const { definition, notUnderstood, taken } = readFile(fields);
    expect(notUnderstood.map((note) => note.member)).toContain(member);
    expect(taken).not.toContain(member);
    expect(definition.enabled).toBe(false);
  });
});

describe('without effect, with a note, is', () => {
  test.each<[string, object, string]>([
    ...['admin', 'adm.*', '^admin', 'a|b', '^a$|^b$', '.*\\.*'].map(
      (value): [string, object, string] => [
        `a required value of which Apereo CAS finds parts: ${value}`,
        access({ requiredAttributes: map({ a: set(value) }) }),
        'accessStrategy.requiredAttributes.a',
      ],
    ),
    [
      'that several rejected attributes refuse together',
      access({ rejectedAttributes: map({ a: set('x'), b: set('y') }) }),
      'accessStrategy.rejectedAttributes',
    ],
    [
      'where the refused are sent, where that is no URL',
      access({ unauthorizedRedirectUrl: '/refused' }),
      'accessStrategy.unauthorizedRedirectUrl',
    ],
    [
      'which logins elsewhere are allowed',
      access({
        delegatedAuthenticationPolicy: { '@class': 'x', permitUndefined: true, exclusive: false },
      }),
      'accessStrategy.delegatedAuthenticationPolicy',
    ],
  ])('%s', (_rule, fields, member) => {
    const { definition, withoutEffect, notUnderstood } = readFile(fields);
    expect(withoutEffect.map((note) => note.member)).toEqual([member]);
    expect(notUnderstood).toEqual([]);
    expect(definition.enabled).toBe(true);
  });
});

test('a script among required values is named as one, and stays required', () => {
  const { definition, notUnderstood } = readFile(
    access({ requiredAttributes: map({ a: set('groovy { x }') }) }),
  );
  expect(notUnderstood).toEqual([
    {
      member: 'accessStrategy.requiredAttributes.a',
      reason: 'is a script, which is not run here',
    },
  ]);
  expect(definition.requiredAttributes).toEqual({ a: ['groovy \\{ x \\}'] });
});

describe('taken is', () => {
  test.each<[string, object, object]>([
    ['disabled', access({ enabled: false }), { enabled: false }],
    ...['false', 'False', 'FALSE'].map((enabled): [string, object, object] => [
      `disabled in quotes: ${enabled}`,
      access({ enabled }),
      { enabled: false },
    ]),
    ...['true', 'True', 'TRUE'].map((enabled): [string, object, object] => [
      `enabled in quotes: ${enabled}`,
      access({ enabled, ssoEnabled: 'False' }),
      { enabled: true, ssoEnabled: false },
    ]),
    [
      'how values are compared where none is required',
      access({ caseInsensitive: true, requireAllAttributes: false }),
      { enabled: true, requireAllAttributes: true },
    ],
    ...[false, 'false'].map((requireAllAttributes): [string, object, object] => [
      `one attribute of several being enough: ${JSON.stringify(requireAllAttributes)}`,
      access({ requireAllAttributes, requiredAttributes: map({ a: set('x'), b: set('y') }) }),
      { requireAllAttributes: false, requiredAttributes: { a: ['x'], b: ['y'] } },
    ]),
    ...[true, 'TRUE'].map((caseInsensitive): [string, object, object] => [
      `values in any letters: ${JSON.stringify(caseInsensitive)}`,
      access({
        caseInsensitive,
        requiredAttributes: map({ a: set('x', '^y.*$') }),
        rejectedAttributes: map({ b: set('z') }),
      }),
      {
        requiredAttributes: { a: ['(?i)x', '(?i)^y.*$'] },
        rejectedAttributes: { b: ['(?i).*(?:z).*'] },
      },
    ]),
    [
      'patterns of values',
      access({ requiredAttributes: map({ a: set('^cn=(hr|it),.*$', '.*admin.*') }) }),
      { enabled: true, requiredAttributes: { a: ['^cn=(hr|it),.*$', '.*admin.*'] } },
    ],
    [
      'rejected values, of which a part is enough',
      access({ rejectedAttributes: map({ a: set('guest', '^x|y', '^all$', '.*any.*') }) }),
      {
        enabled: true,
        rejectedAttributes: { a: ['.*(?:guest).*', '.*(?:^x|y).*', '^all$', '.*any.*'] },
      },
    ],
    ['no rejected attributes', access({ rejectedAttributes: map({}) }), { rejectedAttributes: {} }],
    [
      'flags in quotes that say nothing',
      access({
        caseInsensitive: 'false',
        requireAllAttributes: 'true',
        requiredAttributes: map({ a: set('x'), b: set('y') }),
        delegatedAuthenticationPolicy: { exclusive: 'false' },
      }),
      { enabled: true },
    ],
    [
      'a value that is an address',
      access({ requiredAttributes: map({ a: set('https://x/groovy') }) }),
      { requiredAttributes: { a: ['https://x/groovy'] } },
    ],
    ['no single sign-on', access({ ssoEnabled: false }), { ssoEnabled: false, enabled: true }],
    [
      'required attributes',
      access({
        requireAllAttributes: true,
        requiredAttributes: map({ a: set('x', 'y'), b: ['java.util.ArrayList', ['z']], c: 'w' }),
      }),
      { requiredAttributes: { a: ['x', 'y'], b: ['z'], c: ['w'] } },
    ],
    [
      'one required attribute of one',
      access({ requireAllAttributes: false, requiredAttributes: map({ a: set('x') }) }),
      { requiredAttributes: { a: ['x'] }, enabled: true },
    ],
    ['no required attributes', access({ requiredAttributes: map({}) }), { enabled: true }],
    ['required attributes of null', access({ requiredAttributes: null }), { enabled: true }],
  ])('%s', (_rule, fields, expected) => {
    const { definition, notUnderstood } = readFile(fields);
    expect(notUnderstood).toEqual([]);
    expect(definition).toMatchObject(expected);
  });
});

test.each<[unknown, string | null]>([
  ['https://x/refused?a=b', 'https://x/refused?a=b'],
  ['', null],
  [null, null],
  ['javascript:a', null],
])('refused users are sent to %j: %j', (unauthorizedRedirectUrl, kept) => {
  const { definition, notUnderstood } = readFile(access({ unauthorizedRedirectUrl }));
  expect(notUnderstood).toEqual([]);
  expect(definition).toMatchObject({ unauthorizedRedirectUrl: kept, enabled: true });
});
