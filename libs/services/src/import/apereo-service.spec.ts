import { describe, expect, test } from '@jest/globals';
import {
  access,
  CAS,
  MINIMAL,
  map,
  proxying,
  readFile,
  readText,
  readValue,
  releasing,
  set,
} from '../../test/apereo-file.js';
import { SERVICE_DEFAULTS } from '../registered-service.js';

const property = (...values: readonly unknown[]) => ({
  '@class': `${CAS}.DefaultRegisteredServiceProperty`,
  values: set(...values),
});

describe('a service of an unknown class is disabled and keeps its URLs, name, id and order', () => {
  test.each([
    ['a later version', `${CAS}.SomeRegisteredService`],
    ['somebody else', 'com.example.RegexRegisteredService'],
    ['no class', undefined],
    ['no class', 7],
  ])('%s', (_rule, kind) => {
    const members = { id: 7, description: 'd', evaluationOrder: 5, clientSecret: 'x' };
    const given = typeof kind === 'string' ? kind : 'no class';
    expect(readValue({ ...MINIMAL, ...members, '@class': kind })).toEqual({
      importId: '7',
      definition: {
        ...SERVICE_DEFAULTS,
        serviceId: MINIMAL.serviceId,
        name: 'a',
        description: 'd',
        evaluationOrder: 5,
        logoutType: 'back',
        enabled: false,
      },
      taken: ['serviceId', 'name', 'id', 'description', 'evaluationOrder'],
      withoutEffect: [],
      notUnderstood: [
        {
          member: '@class',
          reason: `is of a kind that is not known here (${given}): its URLs are refused`,
        },
      ],
    });
  });

  test('with the order 0 that it has at Apereo, and any text for a pattern', () => {
    const value = { '@class': `${CAS}.SomeRegisteredService`, serviceId: 'urn:mace:a+b' };
    expect(readValue(value)).toMatchObject({
      definition: { serviceId: 'urn:mace:a+b', evaluationOrder: 0, enabled: false },
    });
  });
});

describe('a definition of another protocol takes no part', () => {
  test.each([
    ['org.jasig.cas.support.oauth.services.OAuthCallbackAuthorizeService', 'OAuth'],
    ['org.apereo.cas.support.saml.services.SamlRegisteredService', 'SAML'],
    ['org.apereo.cas.ws.idp.services.WSFederationRegisteredService', 'WS-Federation'],
  ])('%s', (kind, protocol) => {
    const value = { ...MINIMAL, '@class': kind, serviceId: '(?!a', id: '7', evaluationOrder: 'x' };
    expect(readValue(value)).toEqual({
      ignored: `is a definition of ${protocol}, which is not here: it opens and closes no URL of CAS services`,
      importId: '7',
    });
  });
});

describe('a service is disabled, and the member named, by', () => {
  test.each<[string, object, string]>([
    ['an unknown member', { restrictTo: ['x'] }, 'restrictTo'],
    ['required handlers', { requiredHandlers: set('ldap') }, 'requiredHandlers'],
    ['an unknown proxy policy', proxying('Rest', { endpoint: 'x' }), 'proxyPolicy'],
    ['a proxy policy without a pattern', proxying('RegexMatching'), 'proxyPolicy'],
    ['a proxy pattern that is none', proxying('RegexMatching', { pattern: '(' }), 'proxyPolicy'],
    [
      'a proxy pattern that means something else in Java',
      proxying('RegexMatching', { pattern: 'https://[^a-z&&[^q]]/' }),
      'proxyPolicy.pattern',
    ],
    [
      'a proxy policy that uses serviceId',
      proxying('RegexMatching', { pattern: 'a', useServiceId: true }),
      'proxyPolicy.useServiceId',
    ],
    ['an unknown logout type', { logoutType: 'SIDE_CHANNEL' }, 'logoutType'],
    ['a logout URL that is none', { logoutUrl: 'javascript:x' }, 'logoutUrl'],
    [
      'several logout URLs, one of which is none',
      { logoutUrl: 'https://a/,https://' },
      'logoutUrl',
    ],
    ['properties that are no map', { properties: ['x'] }, 'properties'],
    ['a property that is no text', { properties: map({ a: property({}) }) }, 'properties.a'],
    [
      'an unknown dialect',
      { properties: map({ dialect: property('soap') }) },
      'properties.dialect',
    ],
    ['an id that is no integer', { id: 'x' }, 'id'],
    ['an id that is too large', { id: 1e300 }, 'id'],
    ['an id in quotes that is no integer', { id: '12x' }, 'id'],
  ])('%s', (_rule, fields, member) => {
    const { definition, notUnderstood, taken } = readFile(fields);
    expect(notUnderstood.map((note) => note.member)).toContain(member);
    expect(taken).not.toContain(member);
    expect(definition.enabled).toBe(false);
  });
});

test('an invalid member releases nothing and allows nothing', () => {
  const { definition } = readFile({
    name: '\u0007',
    ...releasing('Groovy'),
    ...proxying('RegexMatching', { pattern: '(' }),
  });
  expect(definition).toMatchObject({
    name: 'file.json',
    attributeRelease: { kind: 'none' },
    proxyPolicy: { kind: 'refuse' },
  });
});

describe('taken is', () => {
  test('a file of two members, with the defaults it has at Apereo', () => {
    expect(readFile({})).toEqual({
      importId: null,
      definition: {
        ...SERVICE_DEFAULTS,
        serviceId: MINIMAL.serviceId,
        name: 'a',
        evaluationOrder: 0,
        logoutType: 'back',
      },
      taken: ['serviceId', 'name'],
      withoutEffect: [],
      notUnderstood: [],
    });
  });

  test.each<[string, object, object]>([
    ['the newer class', { '@class': `${CAS}.CasRegisteredService` }, { enabled: true }],
    [
      'the older package',
      { '@class': 'org.jasig.cas.services.RegexRegisteredService' },
      { enabled: true },
    ],
    ['the order', { evaluationOrder: -3 }, { evaluationOrder: -3 }],
    ['an order in quotes', { evaluationOrder: '2000' }, { evaluationOrder: 2000 }],
    ['an order with a fraction of nothing', { evaluationOrder: 12.0 }, { evaluationOrder: 12 }],
    ['a name that is a number', { name: 2024 }, { name: '2024' }],
    ['the description', { description: 'd\ne' }, { description: 'd\ne' }],
    ['no proxying', proxying('Refuse'), { proxyPolicy: { kind: 'refuse' } }],
    [
      'proxying',
      proxying('RegexMatching', { pattern: '^https://p/.*' }),
      { proxyPolicy: { kind: 'pattern', pattern: '^https://p/.*' } },
    ],
    ['no logout', { logoutType: 'NONE' }, { logoutType: 'none' }],
    [
      'front-channel logout',
      { logoutType: 'FRONT_CHANNEL', logoutUrl: 'https://a/out' },
      { logoutType: 'front', logoutUrl: 'https://a/out' },
    ],
    [
      'several logout URLs',
      { logoutType: 'BACK_CHANNEL', logoutUrl: 'https://a/out,https://b/out' },
      { logoutType: 'back', logoutUrl: 'https://a/out,https://b/out' },
    ],
    ['an empty logout URL', { logoutUrl: '' }, { logoutUrl: null }],
    [
      'the full match',
      { matchingStrategy: { '@class': `${CAS}.FullRegexRegisteredServiceMatchingStrategy` } },
      { enabled: true },
    ],
    [
      'properties',
      {
        properties: map({
          dialect: property('apereo'),
          owners: property('a', 'b'),
          plain: 'x',
          scalars: property(true, 1),
          none: property(),
        }),
      },
      { properties: { dialect: 'apereo', owners: 'a,b', plain: 'x', scalars: 'true,1' } },
    ],
  ])('%s', (_rule, fields, expected) => {
    const { definition, notUnderstood } = readFile(fields);
    expect(notUnderstood).toEqual([]);
    expect(definition).toMatchObject(expected);
  });

  test.each([
    [10_000_001, '10000001'],
    ['910999', '910999'],
    ['9007199254740993', '9007199254740993'],
    [-1, null],
    [0, null],
  ])('the id %j as %p', (id, importId) => {
    expect(readFile({ id })).toMatchObject({ importId, notUnderstood: [] });
  });

  test('an id of 64 bits, digit by digit', () => {
    const text = JSON.stringify({ ...MINIMAL, id: 1 }).replace('"id":1', '"id":9007199254740993');
    expect(readText(text)).toMatchObject({
      importId: '9007199254740993',
    });
  });

  test('unset members, which a management page writes in full', () => {
    const { definition, notUnderstood } = readFile({
      expirationPolicy: {
        '@class': `${CAS}.DefaultRegisteredServiceExpirationPolicy`,
        deleteWhenExpired: false,
        notifyWhenDeleted: false,
      },
      multifactorPolicy: {
        '@class': `${CAS}.DefaultRegisteredServiceMultifactorPolicy`,
        multifactorAuthenticationProviders: set(),
        failureMode: 'NOT_SET',
        bypassEnabled: false,
      },
      requiredHandlers: set(),
      contacts: ['java.util.ArrayList', []],
      publicKey: null,
      webflowInterruptPolicy: {},
      ...access({
        order: 0,
        rejectedAttributes: map({}),
        requiredAttributes: map({}),
        caseInsensitive: false,
      }),
    });
    expect(notUnderstood).toEqual([]);
    expect(definition.enabled).toBe(true);
  });
});

test('a member named __proto__ is not understood, and changes nothing else', () => {
  const text = JSON.stringify(MINIMAL).replace('{', '{"__proto__":{"enabled":true},');
  expect(readText(text)).toMatchObject({
    definition: { enabled: false },
    notUnderstood: [{ member: '__proto__' }],
  });
});
