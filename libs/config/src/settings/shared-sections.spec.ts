// Sections of settings that Spring Boot has too: logging, management, server and encrypt.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CoreSettings } from './core-settings.js';
import { EncryptionSettings } from './encryption/encryption-settings.js';
import type { LoadedSettings } from './loaded-settings.js';
import { loadSettings } from './load-settings.js';
import { text } from './parsers/scalars.js';
import { Group, Setting } from './setting.js';

class SharedSettings extends CoreSettings {
  @Setting('management.host', text) host = '';
  @Setting('management.port', text) port = '';
  @Setting('management.metrics.allowed-addresses', text) allowed = '';
  @Group(EncryptionSettings) readonly encryption = new EncryptionSettings();
}

async function loadShared(
  file: string,
  ...argv: string[]
): Promise<LoadedSettings<SharedSettings>> {
  const directory = await mkdtemp(join(tmpdir(), 'settings-'));
  try {
    await writeFile(join(directory, 'config-server.yml'), file);
    const env = { SERVER_NAME: 'of another program' };
    const own = { application: 'config-server', env, directory, credentialDirectories: [] };
    const context = { ...own, argv: ['--settings.location=.', ...argv] };
    return await loadSettings(SharedSettings, context);
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('in the sections that Spring Boot has too', () => {
  test.each([
    ['management: {endpoints: {web: {base-path: /ops}}}', 'management.endpoints.web.base-path'],
    ['management.security.enabled: true', 'management.security.enabled'],
    ['management.contextPath: /status', 'management.contextPath'],
    [
      'management.metrics.export.prometheus.enabled: true',
      'management.metrics.export.prometheus.enabled',
    ],
    ['management.brave.span-joining-supported: true', 'management.brave.span-joining-supported'],
    ['logging: {file: /var/log/x}', 'logging.file'],
    ['encrypt.failOnError: false', 'encrypt.failOnError'],
  ])('%s is named', async (file, key) => {
    expect((await loadShared(file)).unusedKeys).toEqual([`${key} (config-server.yml:1)`]);
  });

  test('server.drain-time is a setting, and other keys of server are no errors', async () => {
    const { settings } = await loadShared('server: {drain-time: 5s, name: x}');
    expect(settings.drainTime).toBe(5_000);
  });

  test('keys with a counterpart have it named', async () => {
    const { unusedKeys } = await loadShared('management: {server: {port: 1}, address: x}');
    expect(unusedKeys).toEqual([
      'management.server.port (config-server.yml:1): here it is management.port',
      'management.address (config-server.yml:1): here it is management.host',
    ]);
  });

  test.each([
    [
      'logging.levle: {root: info}',
      'logging.levle.root: is not a known setting; did you mean logging.level.root?',
    ],
    ['logging.x: 1', 'logging.x: is not a known setting'],
    [
      'management.prot: 1',
      'management.prot: is not a known setting; did you mean management.port?',
    ],
    [
      'management.metrics.allowed-adresses: x',
      'did you mean management.metrics.allowed-addresses?',
    ],
    ['encrypt.keyStor.location: x', 'did you mean encrypt.key-store.location?'],
  ])('%s, which is ours and mistyped, is an error', async (file, message) => {
    await expect(loadShared(file)).rejects.toThrow(message);
  });

  test('the keys of encrypt.* are read in every spelling of Spring', async () => {
    const store = '{location: "file:/k.jks", password: p, alias: a, secret: s, TYPE: JKS}';
    for (const name of ['keyStore', 'key-store', 'key_store', 'keystore']) {
      const { settings, origins } = await loadShared(`encrypt: {${name}: ${store}}`);
      expect(settings.encryption.storePath).toBe('/k.jks');
      expect(settings.encryption.storeType).toBe('jks');
      expect(origins('encrypt.key-store.location')).toBe('config-server.yml:1');
    }
  });

  test('on the command line a key of Spring Boot is an error without false advice', async () => {
    await expect(loadShared('', '--logging.file.path=x')).rejects.toThrow(
      'logging.file.path: is not a known setting (command line)',
    );
  });
});
