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
    [
      'required values in any letters',
      access({ caseInsensitive: true }),
      'accessStrategy.caseInsensitive',
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
    ['enabled that is no boolean', access({ enabled: 'yes' }), 'accessStrategy.enabled'],
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

describe('taken is', () => {
  test.each<[string, object, object]>([
    ['disabled', access({ enabled: false }), { enabled: false }],
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
