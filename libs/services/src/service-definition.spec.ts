import { describe, expect, test } from '@jest/globals';
import { SERVICE_DEFAULTS } from './registered-service.js';
import { inspectDefinition, readDefinition } from './service-definition.js';
import { InvalidServiceError } from './service-error.js';

const valid = { serviceId: 'https://a/.*', name: 'a' };
const EXPIRY =
  'must be a date such as 2027-06-30 (from 00:00 UTC on), a time such as 2027-06-30T18:00:00+02:00, or never';
const NO_URL = 'must be an http or https URL, or several, separated by commas';

const INTEGER = 'must be an integer, -2147483648 to 2147483647';
/** As JSON can have it: nothing makes a text of it. */
const NO_TEXT = { toString: 1, valueOf: 1 };

describe('a field is refused, by its name', () => {
  test.each<[string, unknown, string, string]>([
    ['serviceId', undefined, 'serviceId', 'must not be empty'],
    ['serviceId', '', 'serviceId', 'must not be empty'],
    ['serviceId', 7, 'serviceId', 'must be a text'],
    ['serviceId', 'a'.repeat(2_001), 'serviceId', 'must have at most 2000 characters'],
    ['serviceId', 'a\nb', 'serviceId', 'must not contain control characters'],
    ['serviceId', 'a\ud800', 'serviceId', 'must not contain control characters'],
    ['serviceId', '(', 'serviceId', 'is not an RE2 pattern: missing closing ): ('],
    ['name', undefined, 'name', 'must not be empty'],
    ['name', NO_TEXT, 'name', 'must be a text'],
    ['evaluationOrder', NO_TEXT, 'evaluationOrder', INTEGER],
    ['name', 'n'.repeat(256), 'name', 'must have at most 255 characters'],
    ['name', 'a\u001b[2J', 'name', 'must not contain control characters'],
    ['name', 'a\u202eb', 'name', 'must not contain control characters'],
    ['name', 'a\0', 'name', 'must not contain control characters'],
    ['description', 'd'.repeat(2_001), 'description', 'must have at most 2000 characters'],
    ['description', 'a\u0007', 'description', 'must not contain control characters'],
    ['description', null, 'description', 'must be a text'],
    ['evaluationOrder', 1.5, 'evaluationOrder', INTEGER],
    ['evaluationOrder', 2 ** 31, 'evaluationOrder', INTEGER],
    ['evaluationOrder', '1', 'evaluationOrder', INTEGER],
    ['evaluationOrder', NaN, 'evaluationOrder', INTEGER],
    ['enabled', 'true', 'enabled', 'must be true or false'],
    ['expiresAt', 'tomorrow', 'expiresAt', EXPIRY],
    ['expiresAt', '2027-06-30T12:00', 'expiresAt', EXPIRY],
    ['expiresAt', 1, 'expiresAt', EXPIRY],
    ['ssoEnabled', 1, 'ssoEnabled', 'must be true or false'],
    ['requiredAttributes', [], 'requiredAttributes', 'must be a map'],
    ['requiredAttributes', null, 'requiredAttributes', 'must be a map'],
    [
      'requiredAttributes',
      { a: 'b' },
      'requiredAttributes.a',
      'must be a list of 1 to 1000 entries',
    ],
    [
      'requiredAttributes',
      { a: [] },
      'requiredAttributes.a',
      'must be a list of 1 to 1000 entries',
    ],
    ['requiredAttributes', { a: [1] }, 'requiredAttributes.a', 'must be a text'],
    [
      'requiredAttributes',
      { '': ['a'] },
      'requiredAttributes',
      'has a name that must not be empty',
    ],
    [
      'requiredAttributes',
      { a: ['x', '(?!a).*'] },
      'requiredAttributes.a',
      'is not an RE2 pattern: invalid or unsupported Perl syntax: (?!',
    ],
    [
      'requiredAttributes',
      { a: ['a'.repeat(2_001)] },
      'requiredAttributes.a',
      'must have at most 2000 characters',
    ],
    [
      'requiredAttributes',
      { a: Array.from({ length: 1_000 }, (_, at) => `.*${at}.*,ou=x`) },
      'requiredAttributes',
      'has too many patterns, or too large ones: list values instead, or repeat less',
    ],
    ['requireAllAttributes', 'yes', 'requireAllAttributes', 'must be true or false'],
    [
      'rejectedAttributes',
      { a: ['['] },
      'rejectedAttributes.a',
      'is not an RE2 pattern: missing closing ]: [',
    ],
    [
      'rejectedAttributes',
      { a: [] },
      'rejectedAttributes.a',
      'must be a list of 1 to 1000 entries',
    ],
    [
      'attributeRelease',
      'all',
      'attributeRelease.kind',
      'must be none or all or allowed or mapped',
    ],
    [
      'attributeRelease',
      { kind: 'some' },
      'attributeRelease.kind',
      'must be none or all or allowed or mapped',
    ],
    [
      'attributeRelease',
      { kind: 'allowed' },
      'attributeRelease',
      'must be a list of 1 to 200 entries',
    ],
    [
      'attributeRelease',
      { kind: 'mapped', names: { a: 'b' } },
      'attributeRelease.a',
      'must be a list of 1 to 200 entries',
    ],
    [
      'attributeRelease',
      { kind: 'all', excluded: [] },
      'attributeRelease',
      'must be a list of 1 to 200 entries',
    ],
    [
      'attributeRelease',
      { kind: 'none', excluded: ['a'] },
      'attributeRelease.excluded',
      'is for kind all',
    ],
    [
      'releasedValues',
      { a: ['('] },
      'releasedValues.a',
      'is not an RE2 pattern: missing closing ): (',
    ],
    ['releasedValues', { a: 'b' }, 'releasedValues.a', 'must be a list of 1 to 1000 entries'],
    ['defaultAttributes', 'no', 'defaultAttributes', 'must be true or false'],
    ['protocolAttributes', null, 'protocolAttributes', 'must be true or false'],
    [
      'usernameAttribute',
      { kind: 'principal', letterCase: 'UPPER' },
      'usernameAttribute.letterCase',
      'must be lower or upper',
    ],
    [
      'usernameAttribute',
      { kind: 'anonymous', letterCase: 'upper' },
      'usernameAttribute.letterCase',
      'is not for a pseudonym',
    ],
    [
      'usernameAttribute',
      {},
      'usernameAttribute.kind',
      'must be principal or attribute or anonymous',
    ],
    ['usernameAttribute', { kind: 'attribute' }, 'usernameAttribute', 'must be a text'],
    ['proxyPolicy', { kind: 'allow' }, 'proxyPolicy.kind', 'must be refuse or pattern'],
    [
      'proxyPolicy',
      { kind: 'pattern', pattern: '[' },
      'proxyPolicy',
      'is not an RE2 pattern: missing closing ]: [',
    ],
    ['proxyPolicy', { kind: 'pattern' }, 'proxyPolicy', 'must be a text'],
    ['serviceTicketLifetime', 0, 'serviceTicketLifetime', 'must be an integer, 1 to 3600'],
    ['serviceTicketLifetime', '5', 'serviceTicketLifetime', 'must be an integer, 1 to 3600'],
    ['proxyTicketLifetime', 3_601, 'proxyTicketLifetime', 'must be an integer, 1 to 3600'],
    ['logoutType', 'BACK', 'logoutType', 'must be none or back or front'],
    ['logoutUrl', 'javascript:alert(1)', 'logoutUrl', NO_URL],
    ['logoutUrl', '//a/b', 'logoutUrl', NO_URL],
    ['logoutUrl', 'https://', 'logoutUrl', NO_URL],
    ['logoutUrl', 'https://u:p@a/', 'logoutUrl', 'must not hold a user name or password'],
    [
      'logoutUrl',
      'https://a/,https://u:p@b/',
      'logoutUrl',
      'must not hold a user name or password',
    ],
    ['logoutUrl', 'https://a/,https://', 'logoutUrl', NO_URL],
    ['logoutUrl', 'https://a,ftp://b/', 'logoutUrl', NO_URL],
    ['logoutUrl', 'https://a/,https://b,', 'logoutUrl', NO_URL],
    ['logoutUrl', ',https://a/', 'logoutUrl', NO_URL],
    [
      'unauthorizedRedirectUrl',
      '/refused',
      'unauthorizedRedirectUrl',
      'must be an http or https URL',
    ],
    [
      'unauthorizedRedirectUrl',
      'javascript:a',
      'unauthorizedRedirectUrl',
      'must be an http or https URL',
    ],
    [
      'unauthorizedRedirectUrl',
      'https://a\\@b/',
      'unauthorizedRedirectUrl',
      'must be an http or https URL',
    ],
    [
      'unauthorizedRedirectUrl',
      'https://u@a/',
      'unauthorizedRedirectUrl',
      'must not hold a user name or password',
    ],
    ['responseType', 'header', 'responseType', 'must be redirect or post'],
    ['properties', { dialect: 'soap' }, 'properties.dialect', 'must be documented or apereo'],
    ['properties', { a: 1 }, 'properties.a', 'must be a text'],
    [
      'properties',
      Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`p${at}`, ''])),
      'properties',
      'must have at most 100 entries',
    ],
    ['nmae', 'a', 'nmae', 'is no field of a service'],
    ['__proto__', 'a', '__proto__', 'is no field of a service'],
  ])('%s %j', (field, value, invalidField, reason) => {
    const input = Object.fromEntries([...Object.entries(valid), [field, value]]);
    expect(inspectDefinition(input).violations).toContainEqual({ field: invalidField, reason });
  });
});

test('all violations are reported at once', () => {
  const input = { serviceId: '(', name: '', evaluationOrder: 0.5, properties: { dialect: 'x' } };
  const read = () => readDefinition(input);
  expect(read).toThrow(InvalidServiceError);
  expect(read).toThrow(
    'name must not be empty; evaluationOrder must be an integer, -2147483648 to 2147483647; ' +
      'properties.dialect must be documented or apereo; ' +
      'serviceId is not an RE2 pattern: missing closing ): (',
  );
});

test('an invalid field has its default, which allows nothing', () => {
  const { definition } = inspectDefinition({
    ...valid,
    attributeRelease: { kind: 'every' },
    proxyPolicy: { kind: 'pattern', pattern: '[' },
  });
  expect(definition).toEqual({ ...SERVICE_DEFAULTS, ...valid });
});

describe('a definition is completed with the defaults', () => {
  test('two fields are enough', () => {
    expect(readDefinition(valid)).toEqual({ ...SERVICE_DEFAULTS, ...valid });
  });

  test.each<[string, object]>([
    ['a description of several lines', { description: 'a\n\tb' }],
    ['the lowest number', { evaluationOrder: -2_147_483_648 }],
    ['all kinds of names', { requiredAttributes: JSON.parse('{"__proto__":["a"]}') }],
    [
      'patterns of values',
      { requiredAttributes: { a: ['x.*', '(?i)y'] }, requireAllAttributes: false },
    ],
    ['rejected values', { rejectedAttributes: { a: ['guest'] } }],
    [
      'a thousand values of each attribute',
      { requiredAttributes: { a: Array.from({ length: 1_000 }, (_, at) => `cn=g${at},ou=x`) } },
    ],
    ['mapped attributes', { attributeRelease: { kind: 'mapped', names: { a: ['b', 'c'] } } }],
    ['all attributes but some', { attributeRelease: { kind: 'all', excluded: ['cn'] } }],
    [
      'released values',
      { releasedValues: { '*': ['a.*'], mail: ['x'] }, protocolAttributes: false },
    ],
    ['a name in other letters', { usernameAttribute: { kind: 'principal', letterCase: 'upper' } }],
    [
      'a name from an attribute in other letters',
      { usernameAttribute: { kind: 'attribute', name: 'a', letterCase: 'lower' } },
    ],
    ['a name from an attribute', { usernameAttribute: { kind: 'attribute', name: 'mail' } }],
    ['proxying', { proxyPolicy: { kind: 'pattern', pattern: 'https://a/.*' } }],
    ['lifetimes of tickets', { serviceTicketLifetime: 1, proxyTicketLifetime: 3_600 }],
    ['a logout URL', { logoutType: 'front', logoutUrl: 'https://a/logout?x=1' }],
    ['several logout URLs', { logoutType: 'back', logoutUrl: 'https://a/?x=1,2, HTTP://b/' }],
    ['no logout URL', { logoutUrl: null }],
    ['a URL for refused users', { unauthorizedRedirectUrl: 'https://a/refused?x=1#y' }],
    ['tickets in a form', { responseType: 'post' }],
    ['a dialect', { properties: { dialect: 'apereo', other: '' } }],
  ])('%s', (_rule, fields) => {
    expect(readDefinition({ ...valid, ...fields })).toEqual({
      ...SERVICE_DEFAULTS,
      ...valid,
      ...fields,
    });
  });
});

test.each([
  ['2027-06-30', '2027-06-30T00:00:00.000Z'],
  ['2027-06-30T18:00:00+02:00', '2027-06-30T16:00:00.000Z'],
  ['never', null],
  [null, null],
])('expiresAt %j is kept as %j', (expiresAt, kept) => {
  expect(readDefinition({ ...valid, expiresAt }).expiresAt).toBe(kept);
});
