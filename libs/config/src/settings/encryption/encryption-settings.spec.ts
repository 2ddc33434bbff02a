import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { CoreSettings } from '../core-settings.js';
import { loadSettings } from '../load-settings.js';
import { Group } from '../setting.js';
import { EncryptionSettings } from './encryption-settings.js';

class Settings extends CoreSettings {
  @Group(EncryptionSettings) encryption = new EncryptionSettings();
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
const PRIVATE = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const SHORT = generateKeyPairSync('rsa', { modulusLength: 512 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const PUBLIC = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const LOCATION = '--encrypt.key-store.location=keys.p12';
const PASSWORD = '--encrypt.key-store.password=changeit';

async function load(...argv: readonly string[]): Promise<EncryptionSettings> {
  const context = { application: 'config', argv, env: {}, directory: '/nonexistent' };
  return (await loadSettings(Settings, context)).settings.encryption;
}

describe('the settings of encryption', () => {
  test.each([
    [['--encrypt.key='], 'encrypt.key: must not be empty (command line)'],
    [[`--encrypt.key=${PUBLIC}`], 'encrypt.key: the key is public: the private key is needed'],
    [
      [`--encrypt.key=${SHORT}`],
      'encrypt.key: the key is an RSA key of 512 bits: it must have 1024 at least',
    ],
    [[`--encrypt.key=${PRIVATE}${SHORT}`], 'encrypt.key: the key holds 2 private keys'],
    [['--encrypt.salt=salt'], 'encrypt.salt: must be pairs of hexadecimal digits'],
    [['--encrypt.salt=abc'], 'encrypt.salt: must be pairs of hexadecimal digits'],
    [['--encrypt.rsa.salt='], 'encrypt.rsa.salt: must not be empty'],
    [['--encrypt.rsa.algorithm=PKCS'], 'encrypt.rsa.algorithm: must be one of DEFAULT, OAEP'],
    [['--encrypt.format=des'], 'encrypt.format: must be one of aes-gcm, spring, spring-gcm'],
    [[LOCATION], 'encrypt.key-store.password: is required with encrypt.key-store.location'],
    [
      ['--encrypt.format=spring'],
      'encrypt.format: is of no effect without encrypt.key ("spring", command line)',
    ],
    [[PASSWORD], 'encrypt.key-store.password: is of no effect without encrypt.key-store.location'],
    [
      ['--encrypt.key-store.secret=s', '--encrypt.key-store.alias=a'],
      'encrypt.key-store.alias: is of no effect without encrypt.key-store.location',
    ],
    [
      ['--encrypt.key-store.location=classpath:keys.p12', PASSWORD],
      'encrypt.key-store.location: must be a path or a file: URL',
    ],
    [
      ['--encrypt.key-store.location=file://host/keys.p12', PASSWORD],
      'encrypt.key-store.location: must be a path or a file: URL',
    ],
    [
      [LOCATION, '--encrypt.key-store.password=schlüssel'],
      'encrypt.key-store.password: must be ASCII, as Java requires (command line)',
    ],
    [
      ['--encrypt.generate=true', '--profiles.active=production'],
      'encrypt.generate: must be false in profile production',
    ],
  ])('refuse %j', async (argv, message) => {
    await expect(load(...argv)).rejects.toThrow(`\n  ${message}`);
  });

  test.each([
    ['encrypt.key', `--encrypt.key=${PRIVATE.slice(0, 600)}`],
    ['encrypt.key-store.secret', '--encrypt.key-store.secret=Mellon'],
  ])('complain of a secret without its value: %s', async (key, argument) => {
    const error: unknown = await load(argument).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(key);
    expect(String(error)).not.toContain(argument.slice(-6));
  });

  test.each([
    ['no key', []],
    ['a password', ['--encrypt.key=a password']],
    ['a private key', [`--encrypt.key=${PRIVATE}`]],
    ['a key store', [LOCATION, PASSWORD, '--encrypt.key-store.type=JKS']],
    [
      'the one password of a store, given twice',
      [LOCATION, PASSWORD, '--encrypt.key-store.secret=changeit'],
    ],
    [
      'the password that the key has in a JKS store',
      [LOCATION, PASSWORD, '--encrypt.key-store.secret=another'],
    ],
  ])('take %s', async (_what, argv) => {
    expect((await load(...argv)).isEmpty).toBe(argv.length === 0);
  });

  test.each([
    ['/etc/keys.p12', '/etc/keys.p12'],
    ['./keys.p12', './keys.p12'],
    ['file:./keys.p12', './keys.p12'],
    ['file:/etc/keys.p12', '/etc/keys.p12'],
    ['file:///etc/my%20keys.p12', '/etc/my keys.p12'],
  ])('find the key store %s at %s', async (location, path) => {
    const settings = await load(`--encrypt.key-store.location=${location}`, PASSWORD);
    expect(settings.storePath).toBe(path);
  });

  test.each([
    ['none', ['--encrypt.key=a password', '--encrypt.generate=true'], []],
    ['those of keys', ['--encrypt.key-files=a.key,b.pem'], ['a.key', 'b.pem']],
    ['the key store', ['--encrypt.key-files=a.key', LOCATION, PASSWORD], ['a.key', 'keys.p12']],
  ])('name as files whose change is another key: %s', async (_what, argv, files) => {
    expect((await load(...argv)).files).toEqual(files);
  });

  test('generate a key only in profile dev by default', async () => {
    expect((await load()).generate).toBe(false);
    expect((await load('--profiles.active=dev')).generate).toBe(true);
  });
});
