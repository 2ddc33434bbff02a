import { describe, expect, test } from '@jest/globals';
import { CoreSettings, Group, loadSettings, Secret } from '@tessera/config';
import { VaultBackendSettings } from './vault-backend-settings.js';

class Holder extends CoreSettings {
  backends = ['vault'];
  @Group(VaultBackendSettings) readonly vault = new VaultBackendSettings();
}

type Given = Partial<Omit<VaultBackendSettings, 'check' | 'version' | 'access'>>;

const PREFIX = 'config-server.vault';
const token = new Secret('geheim');
const GOOD: Given = { uri: 'https://vault.example.org:8200', token };

const settingsOf = (given: Given) => Object.assign(new VaultBackendSettings(), given);
const complaints = (given: Given, holder: Partial<Holder> = {}) =>
  [...settingsOf(given).check(Object.assign(new Holder(), holder))].map(
    ({ key, message }) => `${key} ${message}`,
  );

describe('the settings of Vault', () => {
  test.each<[string, Given, string]>([
    ['no address', { token }, 'uri is required by the backend vault'],
    ['an address by its name alone', { ...GOOD, uri: 'vault.example.org' }, 'uri must be an http'],
    ['an address that is no server', { ...GOOD, uri: 'file:///vault' }, 'uri must be an http'],
    ['an address with a user', { ...GOOD, uri: 'https://a:geheim@v' }, 'uri must have no'],
    ['an address with a query', { ...GOOD, uri: 'https://v/?x' }, 'uri must have no'],
    ['nobody to be', { uri: 'https://v' }, `token or ${PREFIX}.token-file or`],
    ['an empty token', { ...GOOD, token: new Secret('') }, `token or ${PREFIX}.token-file or`],
    ['a token of two lines', { ...GOOD, token: new Secret('geheim\n') }, 'token must be a token'],
    ['two tokens', { ...GOOD, tokenFile: '/t' }, `token-file may not be given together with`],
    [
      'a token and a login',
      { ...GOOD, roleId: 'r', secretId: token },
      `app-role.role-id may not be given together with ${PREFIX}.token`,
    ],
    [
      'a login without its secret',
      { uri: 'https://v', roleId: 'r' },
      `app-role.secret-id is required with ${PREFIX}.app-role.role-id`,
    ],
    [
      'a secret without its login',
      { ...GOOD, secretId: token },
      `app-role.role-id is required with ${PREFIX}.app-role.secret-id`,
    ],
  ])('refuse %s', (_what, given, message) => {
    const found = complaints(given);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${PREFIX}.${message}`);
    expect(found.join('')).not.toContain('geheim');
  });

  test('refuse tokens in the open in production, except on this machine', () => {
    const production = { profiles: ['production'] };
    expect(complaints({ ...GOOD, uri: 'http://v' })).toEqual([]);
    expect(complaints({ ...GOOD, uri: 'http://v' }, production)).toEqual([
      `${PREFIX}.uri must be https in profile production`,
    ]);
    for (const uri of ['http://127.0.0.1:8200', 'http://[::1]:8200', 'http://localhost']) {
      expect(complaints({ ...GOOD, uri }, production)).toEqual([]);
    }
    expect(complaints(GOOD, production)).toEqual([]);
  });

  test('ask for nothing where no backend needs them', () => {
    expect(complaints({}, { backends: ['native'] })).toEqual([]);
  });

  test('are read under their keys', async () => {
    const { settings } = await loadSettings(Holder, {
      application: 'config-server',
      env: { CONFIG_SERVER_VAULT_APP_ROLE_SECRET_ID: 'geheim' },
      argv: [
        '--config-server.vault.uri=https://v/prefix',
        '--config-server.vault.ca-file=/etc/ca.pem',
        '--config-server.vault.namespace=team/a',
        '--config-server.vault.timeout=500ms',
        '--config-server.vault.app-role.role-id=r',
        '--config-server.vault.app-role.path=team/approle',
        '--config-server.vault.kv.backend=team/kv',
        '--config-server.vault.kv.version=2',
      ],
    });
    const { access, mount, version } = settings.vault;
    expect({ mount, version }).toEqual({ mount: 'team/kv', version: 2 });
    expect(access).toMatchObject({
      uri: 'https://v/prefix',
      caFile: { setting: 'config-server.vault.ca-file', path: '/etc/ca.pem' },
      namespace: 'team/a',
      timeout: 500,
      appRole: { roleId: 'r', mount: 'team/approle' },
    });
    expect(access.appRole?.revealSecretId()).toBe('geheim');
  });

  test.each([
    ['auto', undefined],
    ['1', 1],
    ['2', 2],
  ] as const)('take version %s of the engine for %s', (givenVersion, version) => {
    expect(settingsOf({ givenVersion }).version).toBe(version);
  });

  test.each(['app-role.path', 'kv.backend'])('refuse a path that is none for %s', async (key) => {
    for (const path of ['/a', 'a/', 'a//b', 'a b', '']) {
      const argv = [
        `--${PREFIX}.uri=https://v`,
        `--${PREFIX}.token=t`,
        `--${PREFIX}.${key}=${path}`,
      ];
      const loading = loadSettings(Holder, { application: 'config-server', env: {}, argv });
      await expect(loading).rejects.toThrow(`${PREFIX}.${key}: must be the path of a mount`);
    }
  });
});
