import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { CLIENT_DEFAULTS, type NewClient } from './client-definition.js';
import { inspectDefinition, readDefinition } from './service-definition.js';

const VALID: NewClient = { redirectUris: ['https://app.example.org/cb'] };
const valid = { name: 'a', clientId: 'app', client: VALID };
const NOT_STORABLE = 'must not hold the character NUL, nor half a character';
const SECRET = 'must hold public keys alone, and has a private or a symmetric one';
const KEY_SET = 'must be a JWK set: an object with a list "keys" of 1 to 20 keys alone';

const GRANTS =
  'must be authorization_code or refresh_token or client_credentials or urn:ietf:params:oauth:grant-type:device_code';

const violationsOf = (input: Readonly<Record<string, unknown>>) =>
  inspectDefinition({ name: 'a', ...input }).violations.map(
    ({ field, reason }) => `${field} ${reason}`,
  );

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = { ...publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig' };
const smallRsa = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({
  format: 'jwk',
});

describe('the parts of a service', () => {
  test.each<[string, object, readonly string[]]>([
    ['no part', {}, ['serviceId must not be empty']],
    ['no pattern and no client', { serviceId: null }, ['serviceId must not be empty']],
    ['a client without an id', { client: VALID }, ['clientId must not be empty']],
    ['an id without a client', { clientId: 'a' }, ['client must not be empty']],
    ['a pattern alone', { serviceId: 'https://a/.*' }, []],
    ['a client alone', { clientId: 'a', client: VALID }, []],
    ['both', { serviceId: 'https://a/.*', clientId: 'a', client: VALID }, []],
  ])('%s', (_what, input, violations) => {
    expect(violationsOf({ ...input })).toEqual(violations);
  });
});

describe('a client id', () => {
  test.each<[unknown, boolean]>([
    ['a', true],
    ['https://app.example.org:8443/%C3', true],
    ['a'.repeat(255), true],
    ['a'.repeat(256), false],
    ['', false],
    ['a b', false],
    ['a\n', false],
    ['b\u00fcro', false],
    [7, false],
  ])('%j is valid: %s', (clientId, isValid) => {
    const violation = 'clientId must be 1 to 255 characters of ASCII without spaces';
    expect(violationsOf({ ...valid, clientId })).toEqual(isValid ? [] : [violation]);
  });
});

test('a client has the defaults for what it leaves out', () => {
  expect(readDefinition(valid).client).toEqual({ ...CLIENT_DEFAULTS, ...VALID });
});

describe('a field of a client is refused, by its name', () => {
  test.each<[object, string]>([
    [{ secret: 'x' }, 'secret is no field of a client'],
    [{ redirectUris: 'https://a/' }, 'redirectUris must be a list of 1 to 100 entries'],
    [{ redirectUris: [7] }, 'redirectUris must be a text'],
    [
      { redirectUris: Array.from({ length: 101 }, (_, n) => `https://a/${n}`) },
      'redirectUris must be a list of 1 to 100 entries',
    ],
    [
      { redirectUris: ['https://a/', 'http://a/'] },
      'redirectUris must be https, except on a loopback host: http://a/',
    ],
    [{ redirectUris: [] }, 'redirectUris must have a URI for the grant type authorization_code'],
    [
      { postLogoutRedirectUris: ['com.example.app:/'] },
      'postLogoutRedirectUris must be https: com.example.app:/',
    ],
    [
      { redirectUriPatterns: ['('] },
      'redirectUriPatterns is not an RE2 pattern: missing closing ): (',
    ],
    ...[
      '.*',
      'https://.*',
      'https://a\\.example\\.org.*',
      'https://a.example.org/.*',
      'https://[a-z]+\\.example\\.org/',
      'https://a/.*|https://.*',
      'https://a@.*/',
      'https://(?:a|.*)/',
      'https://a?.*/',
      'http://app\\.example\\.org/.*',
      'http://localhost.*',
      '(?:https|http)://app\\.example\\.org/.*',
      'com\\.example\\.app:/.*',
    ].map((pattern): [object, string] => [
      { redirectUriPatterns: [pattern] },
      'redirectUriPatterns must begin with https://, a host without wildcards, and /',
    ]),
    [{ applicationType: 'spa' }, 'applicationType must be web or native'],
    [
      { tokenEndpointAuthMethod: 'client_secret_jwt' },
      'tokenEndpointAuthMethod must be client_secret_basic or client_secret_post or private_key_jwt or none',
    ],
    [{ grantTypes: [] }, 'grantTypes must be a list of 1 to 4 entries'],
    [{ grantTypes: ['device_code'] }, `grantTypes ${GRANTS}`],
    [{ grantTypes: ['implicit'] }, `grantTypes ${GRANTS}: implicit is not offered`],
    [{ grantTypes: ['password'] }, `grantTypes ${GRANTS}: password is not offered`],
    [
      { scopes: ['openid profile'] },
      'scopes must be names of scopes: 1 to 255 characters of ASCII without spaces',
    ],
    [{ scopes: [] }, 'scopes must be a list of 1 to 100 entries'],
    [{ pkceRequired: 'yes' }, 'pkceRequired must be true or false'],
    [{ parRequired: null }, 'parRequired must be true or false'],
    [{ idTokenAlgorithm: 'none' }, 'idTokenAlgorithm must be RS256 or ES256'],
    [{ consent: 'sometimes' }, 'consent must be always or once or never'],
    [{ accessTokenLifetime: 0 }, 'accessTokenLifetime must be an integer, 1 to 86400'],
    [{ refreshTokenLifetime: 1e9 }, 'refreshTokenLifetime must be an integer, 1 to 34560000'],
    [
      { jwksUri: 'http://a/keys' },
      'jwksUri must be https, except on a loopback host: http://a/keys',
    ],
    [{ jwks: { keys: [key] }, jwksUri: 'https://a/' }, 'jwksUri must not be given beside jwks'],
    [
      { tokenEndpointAuthMethod: 'private_key_jwt' },
      'jwks or jwksUri must be given for private_key_jwt',
    ],
    [
      { tokenEndpointAuthMethod: 'none', pkceRequired: false },
      'pkceRequired must be true for a public client',
    ],
    [
      { tokenEndpointAuthMethod: 'none', grantTypes: ['client_credentials'] },
      'grantTypes must not hold client_credentials for a public client',
    ],
    [{ jwks: [key] }, `jwks ${KEY_SET}`],
    [{ jwks: { keys: [] } }, `jwks ${KEY_SET}`],
    [{ jwks: { keys: [key], d: 'x' } }, `jwks ${KEY_SET}`],
    [{ jwks: { keys: [privateKey.export({ format: 'jwk' })] } }, `jwks ${SECRET}`],
    [{ jwks: { keys: [key, { kty: 'oct', k: 'c2VjcmV0' }] } }, `jwks ${SECRET}`],
    // PostgreSQL refuses both in JSON.
    [{ jwks: { keys: [{ ...key, kid: '\0' }] } }, `jwks ${NOT_STORABLE}`],
    [{ jwks: { keys: [{ ...key, '\ud800': 1 }] } }, `jwks ${NOT_STORABLE}`],
    [{ jwks: { keys: [{ kty: 'oct' }] } }, 'jwks must hold keys of the types RSA, EC and OKP'],
    [{ jwks: { keys: ['x'] } }, 'jwks must hold keys that are objects'],
    [
      { jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] } },
      'jwks must hold valid keys, and RSA keys of at least 2048 bits',
    ],
    [
      { jwks: { keys: [smallRsa] } },
      'jwks must hold valid keys, and RSA keys of at least 2048 bits',
    ],
    [
      { jwks: { keys: [{ ...key, x5c: ['x'.repeat(50_000)] }] } },
      'jwks must have at most 50000 characters',
    ],
  ])('%j', (fields, violation) => {
    expect(violationsOf({ ...valid, client: { ...VALID, ...fields } })).toEqual([
      `client.${violation}`,
    ]);
  });

  test.each([7, 'x', []])('%j is no client', (client) => {
    expect(violationsOf({ ...valid, client })).toEqual(['client must be a map']);
  });

  test('a key that is nested so deeply that no JSON can be made of it', () => {
    const nested: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    for (const each of [nested, { ...key, x5c: nested }, { ...key, x5c: { 0: nested } }]) {
      expect(violationsOf({ ...valid, client: { ...VALID, jwks: { keys: [each] } } })).toEqual([
        'client.jwks must hold keys without objects in them',
      ]);
    }
  });

  test('no reason repeats a part of a key', () => {
    const secret = privateKey.export({ format: 'jwk' });
    const [reason] = violationsOf({ ...valid, client: { ...VALID, jwks: { keys: [secret] } } });
    for (const part of [secret.d, secret.x, secret.y]) expect(reason).not.toContain(part);
  });
});

describe('all violations are reported at once', () => {
  test.each<[string, object, readonly string[]]>([
    [
      'of fields, and of rules between the valid ones',
      {
        ...valid,
        client: {
          redirectUris: ['http://a/'],
          redirectUriPatterns: ['.*'],
          tokenEndpointAuthMethod: 'none',
          pkceRequired: false,
          scopes: [],
        },
      },
      [
        'client.scopes must be a list of 1 to 100 entries',
        'client.redirectUris must be https, except on a loopback host: http://a/',
        'client.pkceRequired must be true for a public client',
        'client.redirectUriPatterns must begin with https://, a host without wildcards, and /',
      ],
    ],
    [
      'of a client without an id',
      { client: { ...VALID, consent: 'x' } },
      ['client.consent must be always or once or never', 'clientId must not be empty'],
    ],
    [
      'of a pattern, and of a missing client',
      { serviceId: '', clientId: 'a' },
      ['serviceId must not be empty', 'client must not be empty'],
    ],
    [
      'but not of a rule whose field is invalid',
      { ...valid, client: { grantTypes: ['implicit'], redirectUris: [] } },
      [`client.grantTypes ${GRANTS}: implicit is not offered`],
    ],
  ])('%s', (_what, input, violations) => {
    expect(violationsOf({ ...input })).toEqual(violations);
  });
});

describe('a client may have', () => {
  test.each<[string, NewClient]>([
    ['no redirect URI, without the code', { redirectUris: [], grantTypes: ['client_credentials'] }],
    [
      'patterns alone',
      { redirectUris: [], redirectUriPatterns: ['^https://(a|b)\\.example\\.org/cb/.*'] },
    ],
    [
      'a pattern of a loopback host',
      { redirectUriPatterns: ['http://(localhost|127\\.0\\.0\\.1):80/.*'] },
    ],
    ['no secret', { tokenEndpointAuthMethod: 'none' }],
    ['public keys', { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key] } }],
    ['keys at a URI', { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: 'https://a/keys' }],
    ['scopes of its own', { scopes: ['openid', 'https://api.example.org/read'] }],
  ])('%s', (_what, fields) => {
    const client = { ...VALID, ...fields };
    expect(readDefinition({ ...valid, client }).client).toEqual({ ...CLIENT_DEFAULTS, ...client });
  });
});
