// Reads settings from a real Vault: precedence and conversion of values.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  CoreSettings,
  Group,
  list,
  loadSettings,
  Secret,
  Setting,
  type SourceRequest,
  text,
} from '../../settings/index.js';
import { describeWithVault, Vault } from '../../../../../test/support/vault.js';
import { VaultSettings } from './vault-settings.js';
import { VaultSource } from './vault-source.js';

const PATHS = ['sso/b', 'sso/a', 'sso', 'application/b', 'application/a', 'application'];

class Holder extends CoreSettings {
  @Group(VaultSettings) readonly vault = new VaultSettings();
  @Setting('sso.name', text) ssoName = 'default';
  @Setting('sso.nested.size', text) size = 'default';
  @Setting('sso.list', list) items: readonly string[] = [];
}

describeWithVault('settings', () => {
  describe.each([1, 2] as const)('in an engine of version %i', (version) => {
    let vault: Vault;
    let source: VaultSource;

    beforeAll(async () => {
      vault = await Vault.start(version);
    });
    afterAll(async () => {
      source.close();
      await vault.stop();
    });

    /** The values as the source returns them. */
    async function load(given: Partial<VaultSettings> = {}) {
      source = new VaultSource({});
      const own = { uri: vault.url, token: new Secret(Vault.rootToken), ...given };
      const settings = Object.assign(new VaultSettings(), own);
      const group: SourceRequest['group'] = () => settings as never;
      const { values, violations } = await source.load({
        applicationName: 'sso',
        profiles: ['a', 'b'],
        group,
      });
      return { values, violations };
    }

    async function typed(...args: readonly string[]) {
      source = new VaultSource({});
      const argv = [`--vault.uri=${vault.url}`, `--vault.token=${Vault.rootToken}`, ...args];
      const context = { application: 'sso', argv, env: {}, credentialDirectories: [] };
      return loadSettings(Holder, { ...context, defaultProfiles: ['a', 'b'], sources: [source] });
    }

    test('are none where there are none', async () => {
      expect(await load()).toEqual({ values: [], violations: [] });
    });

    test('are those of the strongest path that has them', async () => {
      for (const path of PATHS) {
        await vault.put(path, { 'sso.name': path });
      }
      for (const [index, path] of PATHS.entries()) {
        const { settings, origins } = await typed();
        expect(settings.ssoName).toBe(path);
        expect(origins('sso.name')).toBe(`vault secret/${path}`);
        await vault.put(path, { other: index });
      }
      expect((await typed()).settings.ssoName).toBe('default');
    });

    test('may be nested or dotted: the precedence decides, not the depth', async () => {
      await vault.put('application', { sso: { name: 'nested', nested: { size: 'weak' } } });
      await vault.put('sso', '{"sso.nested.size":42,"sso":{"list":["x",1,true]}}');
      const { settings } = await typed();
      expect(settings).toMatchObject({
        ssoName: 'nested',
        size: '42',
        items: ['x', '1', 'true'],
      });
    });

    test('give way to the command line', async () => {
      await vault.put('sso', { 'sso.name': 'vault' });
      expect((await typed('--sso.name=line')).settings.ssoName).toBe('line');
    });

    test('pass as they are: protected, empty, and of names that mean something elsewhere', async () => {
      for (const path of PATHS) await vault.remove(path);
      const secret =
        '{"a":"{cipher}00","b":null,"c":-1.5,"__proto__":{"x":"y"},"d":{"__proto__":1}}';
      await vault.put('sso', secret);
      const { values, violations } = await load();
      expect(violations).toEqual([]);
      const facts = { origin: 'vault secret/sso', isProtected: true };
      expect(JSON.stringify(values)).toBe(
        JSON.stringify([
          { key: '__proto__', value: { x: 'y' }, ...facts },
          { key: 'a', value: '{cipher}00', ...facts },
          { key: 'b', value: null, ...facts },
          { key: 'c', value: '-1.5', ...facts },
          { key: 'd', value: JSON.parse('{"__proto__":"1"}') as object, ...facts },
        ]),
      );
    });

    test('nested without end are refused, the path named', async () => {
      await vault.put('sso', `{"a":${'['.repeat(101)}1${']'.repeat(101)}}`);
      expect((await load()).violations).toEqual([
        { origin: 'vault secret/sso', message: 'is nested deeper than 100 levels' },
      ]);
      await vault.remove('sso');
    });

    test('are read with a configured version, and at another mount', async () => {
      await vault.send(
        'POST',
        'sys/mounts/team/kv',
        `{"type":"kv","options":{"version":"${version}"}}`,
      );
      const givenVersion = String(version) as '1' | '2';
      expect(await load({ mount: 'team/kv', givenVersion })).toEqual({
        values: [],
        violations: [],
      });
      expect((await load({ mount: 'team/kv' })).violations).toEqual([]);
    });
  });
});

test('come from nowhere without an address', async () => {
  const group: SourceRequest['group'] = () => new VaultSettings() as never;
  const request = { applicationName: 'sso', profiles: [], group, keys: undefined };
  const nothing = { values: [], violations: [], isInUse: false };
  expect(await new VaultSource({}).load(request)).toEqual(nothing);
  expect(await new VaultSource({}).load({ ...request, group: () => undefined })).toEqual(nothing);
});
