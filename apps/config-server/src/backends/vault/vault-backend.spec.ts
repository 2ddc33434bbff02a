// Runs the backend on a real Vault, with both versions of the key-value engine.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NumberLiteral } from '@tessera/property-sources';
import { Secret } from '@tessera/config';
import { describeWithVault, Vault } from '../../../../../test/support/vault.js';
import { VaultBackendSettings } from '../../settings/vault-backend-settings.js';
import {
  describeBackend,
  queryOf,
  type BackendUnderTest,
  type StoredProperties,
} from '../environment-backend.conformance.js';
import type { EnvironmentBackend } from '../environment-backend.js';
import { openVaultBackend } from './open-vault-backend.js';

const openBackend = (vault: Vault, given: Partial<VaultBackendSettings> = {}) => {
  const settings = { uri: vault.url, token: new Secret(Vault.rootToken), timeout: 5_000, ...given };
  return openVaultBackend(Object.assign(new VaultBackendSettings(), settings), {});
};

const pathOf = ({ application, profile }: StoredProperties): string =>
  profile === undefined ? application : `${application},${profile}`;

async function underTest(version: 1 | 2): Promise<BackendUnderTest> {
  const vault = await Vault.start(version);
  const backend = await openBackend(vault);
  let paths: readonly string[] = [];
  return {
    backend,
    change: async (stored) => {
      const next = stored.map(pathOf);
      const removed = paths.filter((path) => !next.includes(path));
      await Promise.all(removed.map((path) => vault.remove(path)));
      await Promise.all(stored.map((each) => vault.put(pathOf(each), each.properties)));
      paths = next;
    },
    break: async () => void (await vault.seal()),
    repair: async () => void (await vault.unseal()),
    close: async () => {
      await backend.close?.();
      await vault.stop();
    },
  };
}

describeWithVault('a real Vault', () => {
  describeBackend('vault, version 1', () => underTest(1));
  describeBackend('vault, version 2', () => underTest(2));
});

describeWithVault('the backend vault', () => {
  let vault: Vault;
  let backend: EnvironmentBackend;

  beforeAll(async () => {
    vault = await Vault.start(1);
    backend = await openBackend(vault);
  });
  afterAll(async () => {
    await backend.close?.();
    await vault.stop();
  });

  test('names sources as Spring Cloud Config does, whatever the label', async () => {
    for (const path of ['orders,prod', 'application,prod', 'orders', 'application']) {
      await vault.put(path, { k: path });
    }
    const environment = await backend.find(queryOf('orders', 'prod', 'any'));
    expect(environment).toMatchObject({ version: null, state: null });
    expect(environment.sources.map(({ name }) => name)).toEqual([
      'vault:orders,prod',
      'vault:application,prod',
      'vault:orders',
      'vault:application',
    ]);
  });

  test('flattens nested values, and keeps the text of numbers', async () => {
    const secret = `{"nested":{"l":[1,{"x":2}],"x.y":true,"none":null,"empty":{},"[a/b]":"c"},
      "list":[],"db.password":"s","big":12345678901234567890,"[top]":"t"}`;
    await vault.put('flat', secret);
    const { sources } = await backend.find(queryOf('flat', 'default'));
    const [flat] = sources;
    const values = [...(flat?.properties ?? [])].map(([key, { value }]) => [key, value]);
    expect(Object.fromEntries(values)).toEqual({
      'nested.l[0]': new NumberLiteral('1'),
      'nested.l[1].x': new NumberLiteral('2'),
      'nested.x.y': true,
      'nested.none': '',
      'nested[a/b]': 'c',
      list: '',
      'db.password': 's',
      big: new NumberLiteral('12345678901234567890'),
      '[top]': 't',
    });
  });

  test('refuses too deeply nested values, naming the source', async () => {
    await vault.put('deep', `{"a":${'['.repeat(100)}1${']'.repeat(100)}}`);
    await expect(backend.find(queryOf('deep', 'default'))).rejects.toMatchObject({
      code: 'SOURCE_MALFORMED',
      message: 'vault:deep is nested deeper than 100 levels',
    });
  });

  test.each([
    ['secrets it may not read', 'path "secret/orders" { capabilities = ["read"] }'],
    ['nothing it may read', 'path "elsewhere/*" { capabilities = ["read"] }'],
  ])('is not available with %s: no half of an environment', async (_what, rules) => {
    const token = new Secret(await vault.tokenFor('half', rules));
    const limited = await openBackend(vault, { token, givenVersion: '1' });
    await expect(limited.find(queryOf('orders', 'prod'))).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      cause: { code: 'VAULT_REFUSED' },
    });
    await limited.close?.();
  });

  test('logs in by AppRole', async () => {
    await vault.put('orders', { k: 'orders' });
    await vault.tokenFor('reader', 'path "secret/*" { capabilities = ["read"] }');
    const { roleId, secretId } = await vault.appRole('reader', { token_policies: 'reader' });
    const given = { token: undefined, roleId, secretId: new Secret(secretId) };
    const other = await openBackend(vault, given);
    expect((await other.find(queryOf('orders', 'x'))).sources[0]?.name).toBe('vault:orders');
    await other.close?.();
  });
});

describe('opening it', () => {
  const settings = Object.assign(new VaultBackendSettings(), { uri: 'https://127.0.0.1:1' });

  test('is refused where the environment turns checks of certificates off', async () => {
    await expect(openVaultBackend(settings, { VAULT_SKIP_VERIFY: 'false' })).rejects.toMatchObject({
      code: 'VAULT_ENVIRONMENT_UNSAFE',
    });
  });

  test('names the setting of a file that cannot be read', async () => {
    const given = Object.assign(new VaultBackendSettings(), settings, { caFile: '/nosuch.pem' });
    await expect(openVaultBackend(given, {})).rejects.toMatchObject({
      message: 'config-server.vault.ca-file: /nosuch.pem does not exist',
    });
  });

  test('names the setting of a token that cannot be read, at the first question', async () => {
    const given = Object.assign(new VaultBackendSettings(), settings, { tokenFile: '/nosuch' });
    const backend = await openVaultBackend(given, {});
    await expect(backend.find(queryOf('orders', 'prod'))).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      cause: { message: 'config-server.vault.token-file: /nosuch does not exist' },
    });
  });
});
