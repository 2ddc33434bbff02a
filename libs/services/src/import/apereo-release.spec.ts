import { describe, expect, test } from '@jest/globals';
import { CAS, map, named, readFile, releasing, set } from '../../test/apereo-file.js';

describe('a service is disabled, and the member named, by', () => {
  test.each<[string, object, string]>([
    [
      'an unknown release policy',
      releasing('Groovy', { groovyScript: 'file:/x' }),
      'attributeReleasePolicy',
    ],
    [
      'excluded attributes that are no names',
      releasing('ReturnAll', { excludedAttributes: 5 }),
      'attributeReleasePolicy.excludedAttributes',
    ],
    [
      'excluded attributes of another policy',
      releasing('ReturnAllowed', { allowedAttributes: set('cn'), excludedAttributes: set('cn') }),
      'attributeReleasePolicy.excludedAttributes',
    ],
    [
      'protocol attributes by what is no boolean',
      releasing('ReturnAll', { authorizedToReleaseAuthenticationAttributes: 'no' }),
      'attributeReleasePolicy.authorizedToReleaseAuthenticationAttributes',
    ],
    [
      'default attributes by what is no boolean',
      releasing('ReturnAll', { excludeDefaultAttributes: 'no' }),
      'attributeReleasePolicy.excludeDefaultAttributes',
    ],
    [
      'letters of the released values',
      releasing('ReturnAll', { canonicalizationMode: 'LOWER' }),
      'attributeReleasePolicy.canonicalizationMode',
    ],
    [
      'a script among allowed attributes',
      releasing('ReturnAllowed', { allowedAttributes: set('cn', 'groovy { x }') }),
      'attributeReleasePolicy.allowedAttributes',
    ],
    [
      'consent for some attributes',
      releasing('ReturnAll', {
        consentPolicy: {
          '@class': `${CAS}.consent.DefaultRegisteredServiceConsentPolicy`,
          includeOnlyAttributes: set('cn'),
        },
      }),
      'attributeReleasePolicy.consentPolicy',
    ],
    [
      'an attribute repository of its own',
      releasing('ReturnAll', {
        principalAttributesRepository: {
          '@class':
            'org.apereo.cas.authentication.principal.cache.CachingPrincipalAttributesRepository',
          ttl: 5,
        },
      }),
      'attributeReleasePolicy.principalAttributesRepository.ttl',
    ],
    [
      'an attribute repository that ignores the attributes of the login',
      releasing('ReturnAll', {
        principalAttributesRepository: {
          '@class': 'org.apereo.cas.authentication.principal.DefaultPrincipalAttributesRepository',
          ignoreResolvedAttributes: true,
        },
      }),
      'attributeReleasePolicy.principalAttributesRepository.ignoreResolvedAttributes',
    ],
    [
      'a script in a mapping',
      releasing('ReturnMapped', { allowedAttributes: map({ uid: 'groovy { return 1 }' }) }),
      'attributeReleasePolicy.allowedAttributes.uid',
    ],
    [
      'a script from a file in a mapping',
      releasing('ReturnMapped', {
        allowedAttributes: map({ uid: set('login', 'file:/x.groovy'), mail: 'mail' }),
      }),
      'attributeReleasePolicy.allowedAttributes.uid',
    ],
    [
      'an unknown member of a policy that is false',
      releasing('ReturnAll', { releaseEverything: false }),
      'attributeReleasePolicy.releaseEverything',
    ],
    [
      'allowed attributes that are no names',
      releasing('ReturnAllowed', { allowedAttributes: map({}), x: 1 }),
      'attributeReleasePolicy.x',
    ],
    [
      'allowed attributes that are no list',
      releasing('ReturnAllowed', { allowedAttributes: 5 }),
      'attributeReleasePolicy.allowedAttributes',
    ],
    [
      'an unknown name provider',
      named('ScriptedRegisteredServiceUsernameProvider', { script: 'x' }),
      'usernameAttributeProvider',
    ],
    [
      'a name in letters of another kind',
      named('DefaultRegisteredServiceUsernameProvider', { canonicalizationMode: 'TITLE' }),
      'usernameAttributeProvider.canonicalizationMode',
    ],
    [
      'a pseudonym in other letters',
      named('AnonymousRegisteredServiceUsernameAttributeProvider', {
        canonicalizationMode: 'UPPER',
      }),
      'usernameAttributeProvider.canonicalizationMode',
    ],
    [
      'an encrypted name',
      named('DefaultRegisteredServiceUsernameProvider', { encryptUsername: true }),
      'usernameAttributeProvider.encryptUsername',
    ],
    [
      'a name from no attribute',
      named('PrincipalAttributeRegisteredServiceUsernameProvider'),
      'usernameAttributeProvider',
    ],
  ])('%s', (_rule, fields, member) => {
    const { definition, notUnderstood, taken } = readFile(fields);
    expect(notUnderstood.map((note) => note.member)).toContain(member);
    expect(taken).not.toContain(member);
    expect(definition.enabled).toBe(false);
  });
});

test('where the policy is not fully understood, nothing is released, even if the service is enabled later', () => {
  const fields = releasing('ReturnAll', {
    excludedAttributes: set('cn'),
    canonicalizationMode: 'LOWER',
  });
  expect(readFile(fields).definition.attributeRelease).toEqual({ kind: 'none' });
});

describe('without effect, with a note, is', () => {
  test.each<[string, object, string]>([
    [
      'a filter where nothing is released',
      releasing('DenyAll', { excludedAttributes: set('cn') }),
      'attributeReleasePolicy.excludedAttributes',
    ],
    [
      'any member where nothing is released',
      releasing('DenyAll', { allowedAttributes: set('cn') }),
      'attributeReleasePolicy.allowedAttributes',
    ],
    [
      'a cache',
      releasing('ReturnAll', {
        principalAttributesRepository: {
          '@class': 'org.apereo.cas.authentication.principal.DefaultPrincipalAttributesRepository',
          expiration: 2,
        },
      }),
      'attributeReleasePolicy.principalAttributesRepository',
    ],
    [
      'another cache',
      releasing('ReturnAll', {
        principalAttributesRepository: {
          '@class':
            'org.apereo.cas.authentication.principal.cache.CachingPrincipalAttributesRepository',
          timeUnit: 'HOURS',
          mergingStrategy: 'NONE',
        },
      }),
      'attributeReleasePolicy.principalAttributesRepository',
    ],
    [
      'consent in general',
      releasing('ReturnAll', { consentPolicy: { '@class': 'x', enabled: true } }),
      'attributeReleasePolicy.consentPolicy',
    ],
    [
      'the release of the password',
      releasing('ReturnAll', { authorizedToReleaseCredentialPassword: true }),
      'attributeReleasePolicy.authorizedToReleaseCredentialPassword',
    ],
    [
      'how pseudonyms were made',
      named('AnonymousRegisteredServiceUsernameAttributeProvider', {
        persistentIdGenerator: { '@class': 'x', salt: 's' },
      }),
      'usernameAttributeProvider.persistentIdGenerator',
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
    [
      'no attributes, not those of the protocol either',
      releasing('DenyAll'),
      { attributeRelease: { kind: 'none' }, protocolAttributes: false, defaultAttributes: false },
    ],
    [
      'no default attributes',
      releasing('ReturnAll', { excludeDefaultAttributes: true }),
      { attributeRelease: { kind: 'all' }, defaultAttributes: false },
    ],
    [
      'those of the protocol alone',
      releasing('DenyAll', { authorizedToReleaseAuthenticationAttributes: true }),
      { attributeRelease: { kind: 'none' }, protocolAttributes: true },
    ],
    [
      'all attributes',
      releasing('ReturnAll'),
      { attributeRelease: { kind: 'all' }, protocolAttributes: true, releasedValues: {} },
    ],
    ...[false, 'false'].map((flag): [string, object, object] => [
      `all but those of the protocol: ${JSON.stringify(flag)}`,
      releasing('ReturnAll', { authorizedToReleaseAuthenticationAttributes: flag }),
      { attributeRelease: { kind: 'all' }, protocolAttributes: false },
    ]),
    [
      'all attributes but some',
      releasing('ReturnAll', { excludedAttributes: set('cn', 'sn') }),
      { attributeRelease: { kind: 'all', excluded: ['cn', 'sn'] } },
    ],
    [
      'all attributes, and none excluded',
      releasing('ReturnAll', { excludedAttributes: set() }),
      { attributeRelease: { kind: 'all' } },
    ],
    [
      'allowed attributes',
      releasing('ReturnAllowed', { allowedAttributes: set('cn', 'mail') }),
      { attributeRelease: { kind: 'allowed', names: ['cn', 'mail'] } },
    ],
    [
      'no allowed attributes',
      releasing('ReturnAllowed', { allowedAttributes: set() }),
      { attributeRelease: { kind: 'none' } },
    ],
    [
      'mapped attributes',
      releasing('ReturnMapped', { allowedAttributes: map({ uid: 'id', cn: set('a', 'b') }) }),
      { attributeRelease: { kind: 'mapped', names: { uid: ['id'], cn: ['a', 'b'] } } },
    ],
    [
      'no mapped attributes',
      releasing('ReturnMapped', { allowedAttributes: map({}) }),
      { attributeRelease: { kind: 'none' } },
    ],
    [
      'the principal as the name',
      named('DefaultRegisteredServiceUsernameProvider', { canonicalizationMode: 'NONE' }),
      { usernameAttribute: { kind: 'principal' } },
    ],
    [
      'the principal in upper case',
      named('DefaultRegisteredServiceUsernameProvider', { canonicalizationMode: 'UPPER' }),
      { usernameAttribute: { kind: 'principal', letterCase: 'upper' } },
    ],
    [
      'an attribute in lower case as the name',
      named('PrincipalAttributeRegisteredServiceUsernameProvider', {
        canonicalizationMode: 'LOWER',
        usernameAttribute: 'mail',
      }),
      { usernameAttribute: { kind: 'attribute', name: 'mail', letterCase: 'lower' } },
    ],
    [
      'an attribute as the name',
      named('PrincipalAttributeRegisteredServiceUsernameProvider', { usernameAttribute: 'mail' }),
      { usernameAttribute: { kind: 'attribute', name: 'mail' } },
    ],
    [
      'a pseudonym',
      named('AnonymousRegisteredServiceUsernameAttributeProvider'),
      { usernameAttribute: { kind: 'anonymous' } },
    ],
  ])('%s', (_rule, fields, expected) => {
    const { definition, notUnderstood } = readFile(fields);
    expect(notUnderstood).toEqual([]);
    expect(definition).toMatchObject(expected);
  });
});
