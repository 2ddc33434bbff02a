import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { CLIENT_DEFAULTS, type NewClient } from '@tessera/services';
import { serviceCommandSuite } from '../../../../test/support/service-commands.js';

const URI = 'https://app.example.org/cb';

const suite = serviceCommandSuite('client');
const tessera = (...args: readonly string[]) => suite.tessera(...args);
const stored = () => suite.store.findByClientId('app');
const add = (client: NewClient = {}) =>
  suite.store.add({ name: 'App', clientId: 'app', client: { redirectUris: [URI], ...client } });

describe('update', () => {
  test.each<[readonly string[], NewClient]>([
    [
      ['--redirect-uri', 'https://b/', '--redirect-uri', 'https://c/'],
      { redirectUris: ['https://b/', 'https://c/'] },
    ],
    [['--post-logout-redirect-uri', 'https://b/'], { postLogoutRedirectUris: ['https://b/'] }],
    [['--native'], { applicationType: 'native' }],
    [['--public'], { tokenEndpointAuthMethod: 'none' }],
    [
      ['--grant', 'refresh_token', '--grant', 'device_code'],
      { grantTypes: ['refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] },
    ],
    [['--scope', 'openid', '--scope', 'mail'], { scopes: ['openid', 'mail'] }],
    [
      ['--no-pkce', '--par', '--dpop', '--claims-in-id-token'],
      { pkceRequired: false, parRequired: true, dpopRequired: true, claimsInIdToken: true },
    ],
    [
      ['--id-token-algorithm', 'ES256', '--consent', 'always'],
      { idTokenAlgorithm: 'ES256', consent: 'always' },
    ],
    [['--jwks-uri', 'https://a/keys'], { jwksUri: 'https://a/keys' }],
    [
      ['--access-token-lifetime', '60', '--refresh-token-lifetime', '3600'],
      { accessTokenLifetime: 60, refreshTokenLifetime: 3_600 },
    ],
  ])('%j changes only those fields', async (options, fields) => {
    const before = await add();
    const updated = await tessera('update', 'app', ...options);
    expect(updated).toEqual({ exitCode: 0, stdout: 'updated app\n', stderr: '' });
    expect(await stored()).toEqual({ ...before, client: { ...before?.client, ...fields } });
    const again = await tessera('update', 'app', ...options);
    expect(again).toEqual({ exitCode: 0, stdout: 'unchanged app\n', stderr: '' });
  });

  test('changes the fields that CAS has too', async () => {
    await add();
    await tessera('update', 'app', '--name', 'B', '--release', 'mail', '--logout', 'back');
    expect(await stored()).toMatchObject({
      name: 'B',
      attributeRelease: { kind: 'allowed', names: ['mail'] },
      logoutType: 'back',
    });
  });

  test('takes public keys from a file', async () => {
    await add();
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = { keys: [publicKey.export({ format: 'jwk' })] };
    const path = `${suite.directory}/keys.json`;
    await writeFile(path, JSON.stringify(jwks));
    await tessera('update', 'app', '--jwks', path, '--auth-method', 'private_key_jwt');
    expect(await stored()).toMatchObject({ client: { jwks } });
    await tessera('update', 'app', '--no-jwks', '--no-auth-method');
    expect(await stored()).toMatchObject({ client: { jwks: null } });
  });

  test('--no-… resets each field to its default', async () => {
    await add({
      postLogoutRedirectUris: [URI],
      applicationType: 'native',
      tokenEndpointAuthMethod: 'private_key_jwt',
      grantTypes: ['client_credentials'],
      scopes: ['a'],
      idTokenAlgorithm: 'ES256',
      consent: 'once',
      jwksUri: URI,
      accessTokenLifetime: 5,
      refreshTokenLifetime: 6,
    });
    const names = [
      'redirect-uri',
      'post-logout-redirect-uri',
      'native',
      'auth-method',
      'scope',
      'id-token-algorithm',
      'consent',
      'jwks',
      'jwks-uri',
      'access-token-lifetime',
      'refresh-token-lifetime',
    ].map((name) => `--no-${name}`);
    expect(await tessera('update', 'app', ...names)).toMatchObject({ exitCode: 0 });
    const grantTypes = ['client_credentials'];
    expect((await stored())?.client).toEqual({ ...CLIENT_DEFAULTS, grantTypes });
    await tessera('update', 'app', '--no-grant', '--redirect-uri', URI);
    expect((await stored())?.client).toEqual({ ...CLIENT_DEFAULTS, redirectUris: [URI] });
  });
});
