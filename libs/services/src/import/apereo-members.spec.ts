import { describe, expect, test } from '@jest/globals';
import { access, CAS, proxying, readFile, readText, set } from '../../test/apereo-file.js';

const secondFactor = (fields: object) => ({
  multifactorPolicy: { '@class': `${CAS}.DefaultRegisteredServiceMultifactorPolicy`, ...fields },
});
const expiring = (fields: object) => ({
  expirationPolicy: { '@class': `${CAS}.DefaultRegisteredServiceExpirationPolicy`, ...fields },
});
const interrupting = (fields: object) => ({
  webflowInterruptPolicy: {
    '@class': `${CAS}.DefaultRegisteredServiceWebflowInterruptPolicy`,
    ...fields,
  },
});

const COOKIE = 'createCookieOnRenewedAuthentication';
const ssoCookie = (value: unknown) => ({
  singleSignOnParticipationPolicy: {
    '@class': `${CAS}.DefaultRegisteredServiceSingleSignOnParticipationPolicy`,
    [COOKIE]: value,
  },
});

describe('a service is disabled, and the member named, by', () => {
  test.each<[string, object, string]>([
    ...[false, 0, 'NONE', { '@class': `${CAS}.StrictPolicy` }, { a: false }].map(
      (value): [string, object, string] => [
        `an unknown member that is ${JSON.stringify(value)}`,
        { restrictTo: value },
        'restrictTo',
      ],
    ),
    [
      'an unknown policy of a known member',
      { authenticationPolicy: { '@class': `${CAS}.X` } },
      'authenticationPolicy',
    ],
    ...['tomorrow', '2027-02-30', '2027-06-30T24:00', '30.06.2027', 1_830_000_000, true, []].map(
      (expirationDate): [string, object, string] => [
        `a time limit that is no date: ${JSON.stringify(expirationDate)}`,
        expiring({ expirationDate }),
        'expirationPolicy.expirationDate',
      ],
    ),
    ['another time limit', { expirationPolicy: { '@class': `${CAS}.X` } }, 'expirationPolicy'],
    [
      'a second factor',
      secondFactor({ multifactorAuthenticationProviders: set('mfa-duo') }),
      'multifactorPolicy.multifactorAuthenticationProviders',
    ],
    ['a script for it', secondFactor({ script: 'file:/x.groovy' }), 'multifactorPolicy.script'],
    [
      'another second factor',
      { multifactorPolicy: { '@class': `${CAS}.GroovyRegisteredServiceMultifactorPolicy` } },
      'multifactorPolicy',
    ],
    [
      'an interruption',
      interrupting({ forceExecution: 'TRUE' }),
      'webflowInterruptPolicy.forceExecution',
    ],
    [
      'no cookie of single sign-on',
      ssoCookie('FALSE'),
      `singleSignOnParticipationPolicy.${COOKIE}`,
    ],
    [
      'an unknown member of a policy that is false',
      secondFactor({ failOpen: false }),
      'multifactorPolicy.failOpen',
    ],
    [
      'handlers to log in by',
      {
        authenticationPolicy: {
          '@class': `${CAS}.DefaultRegisteredServiceAuthenticationPolicy`,
          requiredAuthenticationHandlers: set('ldap'),
        },
      },
      'authenticationPolicy.requiredAuthenticationHandlers',
    ],
    ['a pseudonym, in an old file', { anonymousAccess: true }, 'anonymousAccess'],
    ['a pattern of attributes, in an old file', { attributeFilter: '^a' }, 'attributeFilter'],
    ['a user name, in an old file', { usernameAttribute: 'mail' }, 'usernameAttribute'],
    ['enabled that is no boolean, in an old file', { enabled: 'no' }, 'enabled'],
    ['enabled that is null, in an old file', { enabled: null }, 'enabled'],
  ])('%s', (_rule, fields, member) => {
    const { definition, notUnderstood, taken } = readFile(fields);
    expect(notUnderstood.map((note) => note.member)).toContain(member);
    expect(taken).not.toContain(member);
    expect(definition.enabled).toBe(false);
  });
});

describe('without effect, with a note, is', () => {
  test.each<[string, object, string]>([
    ['a member for pages and people', { theme: 'x' }, 'theme'],
    ['an unknown member without a value', { whatever: null }, 'whatever'],
    ['an unknown member that is empty', { whatever: set() }, 'whatever'],
    ['an empty name', { name: '' }, 'name'],
    ['an invalid name', { name: 'a\u001b[2J' }, 'name'],
    ['a long name', { name: 'a'.repeat(256) }, 'name'],
    ['a long description', { description: 'a'.repeat(2_001) }, 'description'],
    [
      'how a second factor fails that is not asked for',
      secondFactor({ failureMode: 'CLOSED' }),
      'multifactorPolicy.failureMode',
    ],
    [
      'a bypass of no second factor',
      secondFactor({ bypassEnabled: 'true', failureMode: 'NOT_SET' }),
      'multifactorPolicy.bypassEnabled',
    ],
    [
      'what becomes of a service that never expires',
      expiring({ deleteWhenExpired: true }),
      'expirationPolicy.deleteWhenExpired',
    ],
    [
      'that an expired service is removed',
      expiring({ expirationDate: '2027-06-30T18:00:00Z', deleteWhenExpired: true }),
      'expirationPolicy.deleteWhenExpired',
    ],
    [
      'the zone of a time limit without one',
      expiring({ expirationDate: '2027-06-30' }),
      'expirationPolicy.expirationDate',
    ],
    [
      'that nobody is interrupted',
      interrupting({ enabled: true, forceExecution: 'UNDEFINED' }),
      'webflowInterruptPolicy.enabled',
    ],
    [
      'what a refused proxy might have done',
      proxying('Refuse', { serviceId: '^https://.*' }),
      'proxyPolicy.serviceId',
    ],
    [
      'a key for a password that is never released',
      { publicKey: { '@class': `${CAS}.RegisteredServicePublicKeyImpl`, location: 'file:/k' } },
      'publicKey',
    ],
    [
      'terms to accept',
      {
        acceptableUsagePolicy: {
          '@class': `${CAS}.DefaultRegisteredServiceAcceptableUsagePolicy`,
          enabled: true,
        },
      },
      'acceptableUsagePolicy',
    ],
    ['proxying, in an old file', { allowedToProxy: true }, 'allowedToProxy'],
    ['all attributes, in an old file', { ignoreAttributes: true }, 'ignoreAttributes'],
    ['some attributes, in an old file', { allowedAttributes: set('mail') }, 'allowedAttributes'],
  ])('%s', (_rule, fields, member) => {
    const { definition, withoutEffect, notUnderstood } = readFile(fields);
    expect(withoutEffect.map((note) => note.member)).toEqual([member]);
    expect(notUnderstood).toEqual([]);
    expect(definition.enabled).toBe(true);
  });
});

test.each<[object, string | null]>([
  [{}, null],
  [{ expirationDate: '' }, null],
  [{ expirationDate: null }, null],
  [{ expirationDate: '2027-06-30T18:00:00+02:00' }, '2027-06-30T16:00:00.000Z'],
  [{ expirationDate: '2027-06-30T18:00:00' }, '2027-06-30T04:00:00.000Z'],
])('a service expires as its file says: %j', (fields, expiresAt) => {
  const { definition, notUnderstood } = readFile(expiring(fields));
  expect(notUnderstood).toEqual([]);
  expect(definition).toMatchObject({ enabled: true, expiresAt });
});

test.each([{ name: '' }, { name: undefined }])('the name of the file replaces %j', (fields) => {
  expect(readFile(fields).definition).toMatchObject({ name: 'file.json', enabled: true });
});

test.each([
  {},
  { multifactorPolicy: {}, expirationPolicy: {}, singleSignOnParticipationPolicy: null },
  ssoCookie('TRUE'),
  ssoCookie('UNDEFINED'),
  secondFactor({ bypassEnabled: false, multifactorAuthenticationProviders: set() }),
])('a policy that says nothing is passed over: %j', (fields) => {
  expect(readFile(fields)).toMatchObject({ withoutEffect: [], notUnderstood: [] });
});

describe('`false` closes, beside the access strategy of an old file and in it', () => {
  test.each<[object, object]>([
    [{ enabled: false }, { enabled: false, ssoEnabled: true }],
    [{ enabled: 'false' }, { enabled: false }],
    [{ enabled: true }, { enabled: true }],
    [{ ssoEnabled: false }, { enabled: true, ssoEnabled: false }],
    [{ enabled: false, ...access({ enabled: true }) }, { enabled: false }],
    [{ ...access({ enabled: true }), enabled: false }, { enabled: false }],
    [{ enabled: true, ...access({ enabled: false }) }, { enabled: false }],
    [{ ...access({ enabled: false }), enabled: true }, { enabled: false }],
    [
      { ssoEnabled: false, ...access({ ssoEnabled: true }) },
      { enabled: true, ssoEnabled: false },
    ],
    [
      { allowedToProxy: false, anonymousAccess: false, ignoreAttributes: false },
      { enabled: true, ssoEnabled: true },
    ],
  ])('%j', (fields, expected) => {
    const { definition, notUnderstood, taken } = readFile(fields);
    expect(notUnderstood).toEqual([]);
    expect(definition).toMatchObject(expected);
    const own = Object.keys(fields).filter((member) => member.endsWith('nabled'));
    expect(taken).toEqual(expect.arrayContaining(own));
  });
});

describe('a file as Apereo saves it', () => {
  test('with texts to the ends of their lines', () => {
    const text = `{
  @class: org.apereo.cas.services.RegexRegisteredService
  serviceId: ^https://f5-a\\.example\\.org/.*
  name: f5-a
  id: 905001
  evaluationOrder: 61
  attributeReleasePolicy:
  {
    @class: org.apereo.cas.services.ReturnMappedAttributeReleasePolicy
    allowedAttributes:
    {
      @class: java.util.TreeMap
      mail: email
    }
  }
}`;
    expect(readText(text)).toMatchObject({
      importId: '905001',
      definition: {
        serviceId: '^https://f5-a\\.example\\.org/.*',
        name: 'f5-a',
        evaluationOrder: 61,
        enabled: true,
        attributeRelease: { kind: 'mapped', names: { mail: ['email'] } },
      },
    });
  });

  test('with texts of several lines, remarks and missing commas', () => {
    const text = `{
  "@class" : "org.apereo.cas.services.RegexRegisteredService"
  "serviceId" : "^https://f5-b\\\\.example\\\\.org/.*"
  # a remark
  name: F5 b, with a comma: and a colon
  "id" : 905002
  description: '''
               two
               lines
               '''
}`;
    expect(readText(text)).toMatchObject({
      importId: '905002',
      definition: {
        serviceId: '^https://f5-b\\.example\\.org/.*',
        name: 'F5 b, with a comma: and a colon',
        description: 'two\nlines',
        enabled: true,
      },
    });
  });
});

test.each([
  ['POST', 'post', []],
  ['redirect', 'redirect', []],
  [
    'HEADER',
    'redirect',
    [{ member: 'responseType', reason: 'is not known here: the browser is redirected' }],
  ],
  ['', 'redirect', []],
])('responseType %j is taken as %s', (responseType, kept, notes) => {
  const { definition, withoutEffect } = readFile({ responseType });
  expect(definition).toMatchObject({ responseType: kept, enabled: true });
  expect(withoutEffect).toEqual(notes);
});
