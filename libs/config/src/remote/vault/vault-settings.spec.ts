import { describe, expect, test } from '@jest/globals';
import { CoreSettings, Group, loadSettings } from '../../settings/index.js';
import { VaultSettings } from './vault-settings.js';

class Holder extends CoreSettings {
  @Group(VaultSettings) readonly vault = new VaultSettings();
}

type Given = Readonly<Record<string, string>>;

const URI = 'https://vault.example.org:8200';
const TOKEN = { uri: URI, token: 'geheim' };
const CERTIFICATE = { uri: URI, 'ssl.certificate-file': '/c', 'ssl.key-file': '/k' };

async function load(given: Given, profiles = 'dev', env = {}): Promise<VaultSettings> {
  const argv = Object.entries(given).map(([name, value]) => `--vault.${name}=${value}`);
  const context = { application: 'sso', argv: [...argv, `--profiles.active=${profiles}`], env };
  const { settings } = await loadSettings(Holder, { ...context, credentialDirectories: [] });
  return settings.vault;
}

/** The message of the error; empty if the settings are valid. */
async function violations(given: Given, profiles?: string): Promise<string> {
  const error: unknown = await load(given, profiles).catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.message : '';
}

describe('the settings of Vault', () => {
  test.each<[string, Given, string]>([
    [
      'an address by its name alone',
      { ...TOKEN, uri: 'vault.example.org' },
      'uri: must be an http',
    ],
    ['an address with a user', { ...TOKEN, uri: 'https://a:geheim@v' }, 'uri: must have no'],
    ['an address with a query', { ...TOKEN, uri: 'https://v/?x' }, 'uri: must have no'],
    ['nobody to be', { uri: URI }, 'token: or vault.token-file, vault.app-role.*'],
    ['two ways in', { ...TOKEN, 'token-file': '/t' }, 'token-file: may not be given together with'],
    [
      'a token and a role of Kubernetes',
      { ...TOKEN, 'kubernetes.role': 'sso' },
      'kubernetes.role: may not be given together with vault.token',
    ],
    [
      'a role of Kubernetes and a certificate',
      { ...CERTIFICATE, 'kubernetes.role': 'sso' },
      'ssl.certificate-file: may not be given together with vault.kubernetes.role',
    ],
    [
      'AppRole without its secret',
      { uri: URI, 'app-role.role-id': 'r' },
      'app-role.secret-id: is required with vault.app-role.role-id',
    ],
    [
      'a certificate without its key',
      { uri: URI, 'ssl.certificate-file': '/c' },
      'ssl.key-file: is required with vault.ssl.certificate-file',
    ],
    [
      'a key without its certificate',
      { ...TOKEN, 'ssl.key-file': '/k' },
      'ssl.certificate-file: is required with vault.ssl.key-file',
    ],
    [
      'a certificate that nobody will see',
      { ...CERTIFICATE, uri: 'http://v' },
      'uri: must be https with vault.ssl.certificate-file',
    ],
    ['a path that is none', { ...TOKEN, 'kv.backend': 'a//b' }, 'kv.backend: must be the path'],
    ['no time to answer', { ...TOKEN, timeout: '1ms' }, 'timeout: must not be less than 10ms'],
    [
      'no attempt',
      { ...TOKEN, 'retry.max-attempts': '0' },
      'max-attempts: must not be less than 1',
    ],
    ['a version there is not', { ...TOKEN, 'kv.version': '3' }, 'kv.version: must be one of'],
    [
      'no token of a service account',
      { uri: URI, 'kubernetes.role': 'r', 'kubernetes.service-account-token-file': '' },
      'kubernetes.service-account-token-file: must not be empty',
    ],
  ])('refuse %s', async (_what, given, message) => {
    const found = await violations(given);
    expect(found).toContain(`vault.${message.replace(/^max-/, 'retry.max-')}`);
    expect(found).not.toContain('geheim');
    expect(found).toMatch(/^a problem in/);
  });

  test('refuse secrets in the open in production, except on this machine', async () => {
    const open = { ...TOKEN, uri: 'http://v' };
    expect(await violations(open, 'dev')).toBe('');
    expect(await violations(open, 'production')).toContain('vault.uri: must be https in profile');
    for (const uri of ['http://127.0.0.1:8200', 'http://[::1]:8200', 'http://localhost']) {
      expect(await violations({ ...TOKEN, uri }, 'production')).toBe('');
    }
  });

  test('ask for nothing where there is no Vault, though the environment is somebody else’s', async () => {
    const env = { VAULT_TOKEN: 'two\nlines', VAULT_NAMESPACE: 'theirs', VAULT_ADDR: 'http://v' };
    expect((await load({}, 'production', env)).uri).toBe('');
  });

  test.each<[string, Given, object]>([
    ['a token', TOKEN, {}],
    [
      'a token’s file',
      { uri: URI, 'token-file': '/t' },
      {
        tokenFile: { setting: 'vault.token-file', path: '/t' },
      },
    ],
    [
      'AppRole',
      { uri: URI, 'app-role.role-id': 'r', 'app-role.secret-id': 's' },
      { appRole: { roleId: 'r', mount: 'approle' } },
    ],
    [
      'Kubernetes',
      { uri: URI, 'kubernetes.role': 'sso' },
      {
        kubernetes: {
          role: 'sso',
          mount: 'kubernetes',
          tokenFile: {
            setting: 'vault.kubernetes.service-account-token-file',
            path: '/var/run/secrets/kubernetes.io/serviceaccount/token',
          },
        },
      },
    ],
    [
      'a certificate',
      { ...CERTIFICATE, 'ssl.role': 'web', 'ssl.path': 'tls' },
      {
        certificate: {
          role: 'web',
          mount: 'tls',
          certificateFile: { setting: 'vault.ssl.certificate-file', path: '/c' },
          keyFile: { setting: 'vault.ssl.key-file', path: '/k' },
        },
      },
    ],
  ])('know %s as a way in, and only the one that was given', async (_what, given, expected) => {
    const { uri, namespace, timeout, token, ...ways } = (await load(given)).access;
    expect({ uri, namespace, timeout }).toEqual({ uri: URI, namespace: '', timeout: 2_000 });
    expect(token?.reveal()).toBe(given === TOKEN ? 'geheim' : undefined);
    const known = Object.entries(ways).filter(([, way]) => way !== undefined);
    expect(known.map(([name]) => name)).toEqual(Object.keys(expected));
    expect(ways).toMatchObject(expected);
  });
});
