import { describe, expect, test } from '@jest/globals';
import { access, CAS, map, readFile, set } from '../../test/apereo-file.js';

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
    [
      'rejected attributes',
      access({ rejectedAttributes: map({ memberOf: set('guest') }) }),
      'accessStrategy.rejectedAttributes',
    ],
    [
      'an unknown member of the strategy',
      access({ startingDateTime: '2030-01-01' }),
      'accessStrategy.startingDateTime',
    ],
    [
      'one attribute of several being enough',
      access({
        requireAllAttributes: false,
        requiredAttributes: map({ a: set('x'), b: set('y') }),
      }),
      'accessStrategy.requireAllAttributes',
    ],
    ...[true, 'TRUE'].map((caseInsensitive): [string, object, string] => [
      `required values in any letters: ${JSON.stringify(caseInsensitive)}`,
      access({ caseInsensitive, requiredAttributes: map({ a: set('x') }) }),
      'accessStrategy.caseInsensitive',
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
      'accessStrategy.rejectedAttributes',
    ],
    ...['groovy { return true }', 'file:/x.groovy', 'classpath:/x.js'].map(
      (script): [string, object, string] => [
        `a required value that is a script: ${script}`,
        access({ requiredAttributes: map({ a: set(script) }) }),
        'accessStrategy.requiredAttributes.a',
      ],
    ),
    [
      'one attribute of several being enough, in quotes',
      access({
        requireAllAttributes: 'false',
        requiredAttributes: map({ a: set('x'), b: set('y') }),
      }),
      'accessStrategy.requireAllAttributes',
    ],
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
    [
      'a pattern among required values',
      access({ requiredAttributes: map({ a: set('adm.*') }) }),
      'accessStrategy.requiredAttributes.a',
    ],
    [
      'where the refused are sent',
      access({ unauthorizedRedirectUrl: 'https://x/' }),
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
  expect(definition.requiredAttributes).toEqual({ a: ['groovy { x }'] });
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
      { enabled: true },
    ],
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
