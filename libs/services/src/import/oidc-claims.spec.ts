import { describe, expect, test } from '@jest/globals';
import { CAS, map, readClient, set } from '../../test/apereo-file.js';

const CLAIMS = 'org.apereo.cas.oidc.claims';

describe('claims', () => {
  const policy = (name: string, fields: object = {}) => ({
    '@class': `${CLAIMS}.${name}`,
    ...fields,
  });
  const chained = (...policies: readonly object[]) => ({
    '@class': `${CAS}.ChainingAttributeReleasePolicy`,
    policies: ['java.util.ArrayList', policies],
  });
  const allowed = {
    '@class': `${CAS}.ReturnAllowedAttributeReleasePolicy`,
    allowedAttributes: ['java.util.ArrayList', ['uid']],
  };

  test.each<[string, object, object]>([
    ['scopes alone', { scopes: set('openid', 'email') }, { attributeRelease: { kind: 'all' } }],
    [
      'policies of scopes',
      {
        scopes: set('openid', 'profile', 'email'),
        attributeReleasePolicy: chained(
          policy('OidcProfileScopeAttributeReleasePolicy'),
          policy('OidcEmailScopeAttributeReleasePolicy'),
        ),
      },
      { attributeRelease: { kind: 'all' } },
    ],
    [
      'a policy without scopes',
      { attributeReleasePolicy: allowed },
      {
        attributeRelease: { kind: 'allowed', names: ['uid'] },
        client: { scopes: ['openid', 'profile', 'email', 'address', 'phone'] },
      },
    ],
    [
      'a policy beside scopes',
      { scopes: set('profile'), attributeReleasePolicy: allowed },
      {
        attributeRelease: { kind: 'allowed', names: ['uid'] },
        client: { scopes: ['openid', 'profile'] },
      },
    ],
  ])('%s', (_name, fields, expected) => {
    const { definition, notUnderstood } = readClient(fields);
    expect(notUnderstood).toEqual([]);
    expect(definition).toMatchObject(expected);
  });

  test('scopes of an installation are named with their claims', () => {
    const { withoutEffect } = readClient({
      scopes: set('openid', 'staff', 'read', 'uma_protection'),
      attributeReleasePolicy: policy('OidcCustomScopeAttributeReleasePolicy', {
        scopeName: 'staff',
        allowedAttributes: set('ou'),
      }),
    });
    expect(withoutEffect).toEqual([
      {
        member: 'attributeReleasePolicy',
        reason: 'defines the scope staff: set sso.oidc.scopes.staff to its claims: ou',
      },
      { member: 'scopes', reason: 'leaves out uma_protection, which is not offered' },
      { member: 'scopes', reason: 'has read, which nobody gets until sso.oidc.scopes has it' },
    ]);
  });

  test.each([
    ['claimMappings', { claimMappings: map({ preferred_username: 'uid' }) }],
    ['allowedAttributes', { allowedAttributes: set('name') }],
  ])('%s of one scope disable the client', (member, fields) => {
    const attributeReleasePolicy = policy('OidcProfileScopeAttributeReleasePolicy', fields);
    const { definition, notUnderstood } = readClient({ attributeReleasePolicy });
    expect(definition.enabled).toBe(false);
    expect(notUnderstood.map((each) => each.member)).toEqual([`attributeReleasePolicy.${member}`]);
  });
});

describe('pairwise identifiers', () => {
  const pairwise = (generator: object = {}) => ({
    subjectType: 'pairwise',
    usernameAttributeProvider: {
      '@class': `${CAS}.PairwiseOidcRegisteredServiceUsernameAttributeProvider`,
      persistentIdGenerator: {
        '@class': 'org.apereo.cas.authentication.principal.OidcPairwisePersistentIdGenerator',
        salt: 'aGVsbG93b3JsZA==',
        ...generator,
      },
    },
  });

  test.each([
    ['the host of the URI', {}, 'app.example.org'],
    [
      'the host of a pattern without signs of one',
      { serviceId: '^https://app.example.org/.*' },
      'app.example.org',
    ],
    [
      'the host of the sector',
      { serviceId: '.*', sectorIdentifierUri: 'https://sector.example.org/uris.json' },
      'sector.example.org',
    ],
  ])('keep their salt, for %s', (_name, fields, sector) => {
    const { definition, pseudonymSalt } = readClient({ ...pairwise(), ...fields });
    expect(definition.usernameAttribute).toEqual({ kind: 'anonymous' });
    expect(pseudonymSalt).toBe(`shibboleth:{"sector":"${sector}","salt":"aGVsbG93b3JsZA=="}`);
  });

  test.each([
    [
      'a host that a pattern hides',
      { ...pairwise(), serviceId: String.raw`^https://app\.example\.org/.*` },
    ],
    ['an attribute', pairwise({ attribute: 'uid' })],
    ['an expression', pairwise({ salt: '${SALT}' })],
    ['another generator', pairwise({ '@class': 'org.example.Generator' })],
  ])('of %s disable the client', (_name, fields) => {
    expect(readClient(fields)).toMatchObject({ definition: { enabled: false } });
  });

  test('are not made where the subject type is public', () => {
    const { definition, pseudonymSalt } = readClient({ ...pairwise(), subjectType: 'public' });
    expect(definition).toMatchObject({ enabled: true, usernameAttribute: { kind: 'principal' } });
    expect(pseudonymSalt).toBeUndefined();
  });
});
