import { expect, test } from '@jest/globals';
import { CAS, CLIENT, map, readClient, readValue, set } from '../../test/apereo-file.js';

const OAUTH = 'org.apereo.cas.support.oauth.services';

const lifetime = (token: string, fields: object) => ({
  '@class': `${OAUTH}.DefaultRegisteredServiceOAuth${token}ExpirationPolicy`,
  ...fields,
});

test('a service is a client that takes no part in CAS', () => {
  expect(readClient()).toEqual({
    importId: null,
    definition: expect.objectContaining({
      serviceId: null,
      clientId: 'app',
      name: 'App',
      enabled: true,
      attributeRelease: { kind: 'none' },
      client: {
        redirectUris: ['https://app.example.org/cb'],
        redirectUriPatterns: [],
        postLogoutRedirectUris: ['https://app.example.org/cb'],
        applicationType: 'web',
        tokenEndpointAuthMethod: 'client_secret_basic',
        grantTypes: ['authorization_code'],
        scopes: ['openid', 'profile', 'email'],
        pkceRequired: false,
        parRequired: false,
        dpopRequired: false,
        idTokenAlgorithm: 'RS256',
        claimsInIdToken: true,
        consent: null,
        jwks: null,
        jwksUri: null,
        accessTokenLifetime: null,
        refreshTokenLifetime: null,
      },
    }),
    secrets: ['the secret'],
    pseudonymSalt: undefined,
    taken: ['name', 'clientId', 'clientSecret', 'supportedGrantTypes', 'serviceId'],
    withoutEffect: [],
    notUnderstood: [],
  });
});

test.each([
  ['an OAuth service', { '@class': `${OAUTH}.OAuthRegisteredService` }, { claimsInIdToken: false }],
  [
    'of an old package',
    { '@class': 'org.jasig.cas.support.oauth.services.OAuthRegisteredService' },
    {},
  ],
  [
    'grants',
    { supportedGrantTypes: set('AUTHORIZATION_CODE', 'refresh_token', 'client_credentials') },
    { grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'] },
  ],
  [
    'device codes by the response type',
    { supportedResponseTypes: set('device_code') },
    { grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] },
  ],
  [
    'refresh tokens',
    { generateRefreshToken: true, renewRefreshToken: true },
    { grantTypes: ['authorization_code', 'refresh_token'] },
  ],
  ['no consent', { bypassApprovalPrompt: true }, { consent: 'never' }],
  ['consent', { bypassApprovalPrompt: 'false' }, { consent: 'once' }],
  ['scopes', { scopes: set('profile', 'openid') }, { scopes: ['openid', 'profile'] }],
  [
    'the shorter of two lifetimes',
    {
      accessTokenExpirationPolicy: lifetime('AccessToken', {
        maxTimeToLive: 'PT8H',
        timeToKill: 'PT2H',
      }),
    },
    { accessTokenLifetime: 7_200 },
  ],
  [
    'the longest lifetime',
    { refreshTokenExpirationPolicy: lifetime('RefreshToken', { timeToKill: 'P500D' }) },
    { refreshTokenLifetime: 34_560_000 },
  ],
  ['ES256', { idTokenSigningAlg: 'ES256' }, { idTokenAlgorithm: 'ES256' }],
  ['another algorithm', { idTokenSigningAlg: 'RS512' }, { idTokenAlgorithm: 'RS256' }],
  ['a native application', { applicationType: 'NATIVE' }, { applicationType: 'native' }],
  [
    'a scheme of its own',
    { serviceId: String.raw`^com\.example\.app:/cb$` },
    { applicationType: 'native', redirectUris: ['com.example.app:/cb'] },
  ],
  [
    'an address of keys',
    { tokenEndpointAuthenticationMethod: 'private_key_jwt', jwks: 'https://app.example.org/jwks' },
    { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: 'https://app.example.org/jwks' },
  ],
  ['no secret', { clientSecret: '' }, { tokenEndpointAuthMethod: 'none', pkceRequired: true }],
  [
    'the method post',
    { tokenEndpointAuthenticationMethod: 'client_secret_post' },
    { tokenEndpointAuthMethod: 'client_secret_post' },
  ],
  [
    'a logout URL',
    { logoutUrl: 'https://app.example.org/out' },
    { postLogoutRedirectUris: ['https://app.example.org/cb', 'https://app.example.org/out'] },
  ],
  [
    'an exact URI',
    {
      serviceId: 'https://app.example.org/cb?a=(b)',
      matchingStrategy: { '@class': `${CAS}.LiteralRegisteredServiceMatchingStrategy` },
    },
    { redirectUris: ['https://app.example.org/cb?a=(b)'] },
  ],
  [
    'no URIs for a client without a browser',
    { serviceId: '.*', supportedGrantTypes: set('client_credentials') },
    { redirectUris: [], grantTypes: ['client_credentials'] },
  ],
])('takes %s', (_name, fields, client) => {
  const { definition, notUnderstood } = readClient(fields);
  expect(notUnderstood).toEqual([]);
  expect(definition).toMatchObject({ enabled: true, client });
});

test.each<[string, object, string, string]>([
  [
    'a pattern of any host',
    { serviceId: '.*' },
    'serviceId',
    'is open to every host, so that codes and tokens could be sent anywhere: write the redirect URIs instead',
  ],
  ['no pattern', { serviceId: '' }, 'serviceId', 'is missing: write the redirect URIs instead'],
  [
    'a partial match',
    { matchingStrategy: { '@class': `${CAS}.PartialRegexRegisteredServiceMatchingStrategy` } },
    'matchingStrategy',
    'matches otherwise than whole URIs',
  ],
  [
    'an encrypted secret',
    { clientSecret: '{cas-cipher}eyJhbGciOi' },
    'clientSecret',
    'is encrypted, and the import has no key: write the secret itself',
  ],
  [
    'the implicit flow alone',
    { supportedGrantTypes: set('implicit') },
    'supportedGrantTypes',
    'has nothing that is offered here: the application must use the code flow',
  ],
  [
    'another method of authentication',
    { tokenEndpointAuthenticationMethod: 'client_secret_jwt' },
    'tokenEndpointAuthenticationMethod',
    'is client_secret_jwt, which is not offered: use client_secret_basic, client_secret_post or private_key_jwt',
  ],
  [
    'a signing client without keys',
    { tokenEndpointAuthenticationMethod: 'private_key_jwt', jwks: 'file:/etc/cas/app.jwks' },
    'tokenEndpointAuthenticationMethod',
    'needs the public keys of the client: write them into jwks, or an https URL',
  ],
  [
    'encrypted ID tokens',
    { encryptIdToken: true },
    'encryptIdToken',
    'encrypts what the client gets, which is not done here',
  ],
  [
    'no lifetime',
    { accessTokenExpirationPolicy: lifetime('AccessToken', { maxTimeToLive: 'PT0S' }) },
    'accessTokenExpirationPolicy.maxTimeToLive',
    'is no time above zero in seconds, nor one such as PT8H',
  ],
  ['an unknown member', { soon: true }, 'soon', 'is not understood'],
  [
    'a second factor',
    {
      multifactorPolicy: {
        '@class': `${CAS}.DefaultRegisteredServiceMultifactorPolicy`,
        multifactorAuthenticationProviders: set('mfa-duo'),
      },
    },
    'multifactorPolicy.multifactorAuthenticationProviders',
    'asks for a second factor, which is not here',
  ],
  [
    'a logout URL that is none',
    { logoutUrl: 'app' },
    'logoutUrl',
    'must be an http or https URL, or several, separated by commas',
  ],
])('is disabled for %s', (_name, fields, member, reason) => {
  const { definition, notUnderstood } = readClient(fields);
  expect(definition.enabled).toBe(false);
  expect(notUnderstood).toContainEqual({ member, reason });
});

test('a client without URIs leads to a host of nobody', () => {
  expect(readClient({ serviceId: '.*' }).definition.client?.redirectUris).toEqual([
    'https://redirect-uri-unknown.invalid/',
  ]);
});

test.each([
  ['no clientId', { clientId: undefined }],
  ['an empty one', { clientId: '' }],
  ['one with spaces', { clientId: 'a b' }],
])('a service with %s is ignored', (_name, fields) => {
  expect(readValue({ ...CLIENT, ...fields })).toEqual({
    ignored: 'has no clientId that a client could use',
    importId: null,
  });
});

test('nothing of a secret is in the report', () => {
  const { taken, withoutEffect, notUnderstood } = readClient({
    clientSecrets: [
      'java.util.ArrayList',
      [{ value: 'hidden' }, { value: 'hidden', expiration: '1' }],
    ],
    properties: map({
      accessTokenAsJwtSigningKey: { values: set('hidden') },
      jwtSigningSecret: { values: set('hidden') },
    }),
    jwks: '{"keys":[{"kty":"oct","k":"hidden"}]}',
  });
  const report = JSON.stringify({ taken, withoutEffect, notUnderstood });
  expect(report).toContain('clientSecrets[1].expiration');
  expect(report).not.toContain('hidden');
});
