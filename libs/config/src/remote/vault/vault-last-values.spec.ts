// The last values of Vault and its login, if the connection settings change while it is unavailable.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { configureLogging } from '@tessera/logging';
import { Secret, type SourceRequest } from '../../settings/index.js';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { TestAuthority } from '../../../../../test/support/pki/test-authority.js';
import { describeWithVault, Vault } from '../../../../../test/support/vault.js';
import { VaultSettings } from './vault-settings.js';
import { VaultSource } from './vault-source.js';

const NOWHERE = 'http://127.0.0.1:1';
const ORIGIN = 'vault secret/sso';
const GOOD = [{ key: 'sso.name', value: 'good', origin: ORIGIN, isProtected: true }];

let folder: string;
let caFile: string;
let source: VaultSource;

beforeAll(async () => {
  configureLogging({ application: 'test', levels: {}, write: () => {} });
  folder = await makeFolder();
  caFile = join(folder, 'ca.pem');
  await writeFile(caFile, (await TestAuthority.create('CN=one')).cert);
});
beforeEach(() => {
  source = new VaultSource({});
});
afterEach(() => source.close());
afterAll(() => removeFolder(folder));

/** @param isTaken whether the values become current */
async function load(given: Partial<VaultSettings>, isTaken = true) {
  const own = { token: new Secret(Vault.rootToken), maxAttempts: 1, timeout: 1_000, ...given };
  const settings = Object.assign(new VaultSettings(), own);
  const group: SourceRequest['group'] = () => settings as never;
  const result = await source.load({ applicationName: 'sso', profiles: [], group });
  if (isTaken && result.violations.length === 0) await result.accept?.();
  else result.discard?.();
  return { values: result.values, violations: result.violations };
}

describeWithVault('while Vault is sealed', () => {
  let vault: Vault;

  beforeAll(async () => {
    vault = await Vault.start();
    await vault.put('sso', { 'sso.name': 'good' });
  });
  afterEach(() => vault.unseal());
  afterAll(() => vault.stop());

  const way = (): Partial<VaultSettings> => ({ uri: vault.url, failFast: false, caFile });

  test.each<[string, Partial<VaultSettings>]>([
    ['the address', { uri: NOWHERE }],
    ['the token', { token: new Secret('another') }],
    ['how long it is waited for', { timeout: 900 }],
    ['the mount', { mount: 'elsewhere' }],
  ])('its last values stay current although %s changes', async (_, change) => {
    await load(way());
    await vault.seal();
    const outcome = { values: GOOD, violations: [] };
    expect(await load({ ...way(), ...change })).toEqual(outcome);
    expect(await load({ ...way(), ...change })).toEqual(outcome);
    expect(await load(way())).toEqual(outcome);
  });

  test('its last values stay current although the file of CAs changes', async () => {
    await load(way());
    await vault.seal();
    await writeFile(caFile, (await TestAuthority.create('CN=other')).cert);
    expect(await load(way())).toEqual({ values: GOOD, violations: [] });
  });

  test('values of a refused set are not the last valid ones', async () => {
    await load(way());
    await vault.put('sso', { 'sso.name': 'refused' });
    await load({ ...way(), timeout: 900 }, false);
    await vault.put('sso', { 'sso.name': 'good' });
    await vault.seal();
    expect((await load({ ...way(), timeout: 800 })).values).toEqual(GOOD);
  });

  test('another way to it is a problem where it has to answer', async () => {
    await load({ ...way(), failFast: true });
    await vault.seal();
    const { values, violations } = await load({ ...way(), failFast: true, timeout: 900 });
    expect([values, violations]).toEqual([[], [expect.objectContaining({ key: 'vault.uri' })]]);
  });

  test('its values go where it is taken out of the settings, and do not come back without it', async () => {
    await load(way());
    await load({ ...way(), uri: '' }, false);
    await vault.seal();
    expect((await load(way())).values).toEqual(GOOD);
    expect((await load({ ...way(), uri: '' })).values).toEqual([]);
    expect((await load(way())).values).toEqual([]);
  });

  test('the login lasts where another way to it was refused', async () => {
    const { roleId, secretId } = await vault.appRole('once', {
      secret_id_num_uses: '1',
      token_policies: 'root-like',
    });
    await vault.send(
      'PUT',
      'sys/policies/acl/root-like',
      JSON.stringify({ policy: 'path "*" { capabilities = ["read"] }' }),
    );
    const login = { uri: vault.url, token: undefined, roleId, secretId: new Secret(secretId) };
    expect((await load(login)).values).toEqual(GOOD);
    expect((await load({ ...login, uri: NOWHERE })).violations).toHaveLength(1);
    expect(await load({ uri: vault.url, timeout: 900 }, false)).toEqual({
      values: GOOD,
      violations: [],
    });
    expect(await load(login)).toEqual({ values: GOOD, violations: [] });
  });
});
