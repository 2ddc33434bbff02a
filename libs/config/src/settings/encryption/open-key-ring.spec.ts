import { generateKeyPairSync } from 'node:crypto';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { newKeyFile, type KeyRing } from '@tessera/crypto';
import { makeFolder, removeFolder } from '../../../../../test/support/folders.js';
import { keyStoreVectors, type KeyStoreVector } from '../../../../../test/support/key-stores.js';
import { Secret } from '../secret.js';
import { EncryptionSettings } from './encryption-settings.js';
import { openKeyRing } from './open-key-ring.js';

const SECRET = Buffer.from('Sécret');
const PEM = generateKeyPairSync('rsa', { modulusLength: 1024 })
  .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'Mellon' })
  .toString();

let folder: string;

beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));

function open(given: Partial<EncryptionSettings>): Promise<KeyRing> {
  const settings = Object.assign(new EncryptionSettings(), given);
  return openKeyRing(settings, { applicationName: 'config', dataDirectory: join(folder, 'data') });
}

/** Everything after the first line. */
async function violationsOf(given: Partial<EncryptionSettings>): Promise<readonly string[]> {
  const error: unknown = await open(given).catch((thrown: unknown) => thrown);
  const [, ...lines] = String(error).split('\n');
  return lines.map((line) => line.trim());
}

async function fileOf(name: string, content: string | Buffer, mode = 0o600): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

function storeWith(keyCount: number): KeyStoreVector {
  const found = keyStoreVectors().find(({ keys }) => keys.length === keyCount);
  if (!found) throw new Error(`no vector with ${keyCount} keys`);
  return found;
}

describe('opening the key ring', () => {
  test('reports every problem at once, in order, each with its key and file', async () => {
    const wide = await fileOf('wide.key', newKeyFile(), 0o644);
    const missing = join(folder, 'missing.key');
    const jks = await fileOf('old.jks', Buffer.from('feedfeed', 'hex'));
    const violations = await violationsOf({
      keyFiles: [wide, missing],
      storeLocation: jks,
      storePassword: new Secret('changeit'),
    });
    expect(violations).toEqual([
      `encrypt.key-files: ${wide} has mode 0644, which lets others at it: chmod 600 ${wide}`,
      `encrypt.key-files: ${missing} does not exist`,
      `encrypt.key-store.location: ${jks} cannot be opened: it is damaged, or the password is wrong`,
    ]);
  });

  test('refuses a key store that others may read', async () => {
    const path = await fileOf('keys.p12', storeWith(1).content, 0o604);
    const violations = await violationsOf({ storeLocation: path, storePassword: new Secret('') });
    expect(violations).toEqual([expect.stringContaining(`${path} has mode 0604`)]);
  });

  test('refuses a file that is named twice', async () => {
    const path = await fileOf('a.key', newKeyFile('a'));
    expect(await violationsOf({ keyFiles: [path, path] })).toEqual([
      'encrypt.key-files: two keys are called a',
    ]);
  });

  test('asks for no key of a store that only decrypts, but refuses one that is not there', async () => {
    const { content, password } = storeWith(2);
    const store = {
      storeLocation: await fileOf('keys.p12', content),
      storePassword: new Secret(password),
    };
    const keyFiles = [await fileOf('2031.key', newKeyFile('2031'))];
    expect((await open({ ...store, keyFiles })).aliases).toEqual(['2031', 'mytestkey', 'next']);
    const key = new Secret('a password');
    expect((await open({ ...store, key })).aliases).toEqual(['default', 'mytestkey', 'next']);
    expect(await violationsOf({ ...store, key, storeAlias: 'another' })).toEqual([
      expect.stringContaining('set encrypt.key-store.alias to one of the keys in'),
    ]);
  });

  test.each(['', 'another'])('asks which key of a store encrypts, with %j', async (storeAlias) => {
    const { content, password } = storeWith(2);
    const path = await fileOf('keys.p12', content);
    const given = { storeLocation: path, storePassword: new Secret(password), storeAlias };
    expect(await violationsOf(given)).toEqual([
      `encrypt.key-store.location: set encrypt.key-store.alias to one of the keys in ${path}: mytestkey, next`,
    ]);
  });

  test('is of no key where none is configured', async () => {
    expect((await open({})).isEmpty).toBe(true);
  });

  test('puts the files first, then the key, then the store, its alias first', async () => {
    const { content, password } = storeWith(2);
    const ring = await open({
      keyFiles: [
        await fileOf('new.key', newKeyFile('new')),
        await fileOf('rsa-2025.pem', PEM),
        await fileOf('old.key', newKeyFile('old')),
      ],
      keyPassphrase: new Secret('Mellon'),
      key: new Secret('a password'),
      storeLocation: await fileOf('keys.p12', content),
      storePassword: new Secret(password),
      storeAlias: 'Next',
    });
    expect(ring.aliases).toEqual(['new', 'rsa-2025', 'old', 'default', 'next', 'mytestkey']);
    expect(await ring.encrypt(SECRET)).toMatch(/^v1\.new\./);
    for (const alias of ring.aliases) {
      expect(await ring.decrypt(await ring.encrypt(SECRET, alias))).toEqual(SECRET);
    }
  });

  test('calls the nameless key of a store as the file', async () => {
    const nameless = keyStoreVectors().find(({ keys }) => keys[0]?.alias === null);
    const storeLocation = await fileOf('keys.p12', nameless?.content ?? '');
    const storePassword = new Secret('changeit');
    const ring = await open({ storeLocation, storePassword, storeAlias: 'keys' });
    expect(ring.aliases).toEqual(['keys']);
    expect(ring.publicKey()).toMatch(/^ssh-rsa /);
  });

  test('opens the keys of a JKS store with a password of their own', async () => {
    const jks = keyStoreVectors().find(({ keyPassword }) => keyPassword !== undefined);
    const storeLocation = await fileOf('keys.jks', jks?.content ?? '');
    const store = { storeLocation, storePassword: new Secret(jks?.password ?? '') };
    const storeSecret = new Secret(jks?.keyPassword ?? '');
    const ring = await open({ ...store, storeSecret });
    expect(ring.aliases).toEqual(['config']);
    expect(await ring.decrypt(await ring.encrypt(SECRET))).toEqual(SECRET);
    expect(await violationsOf(store)).toEqual([
      `encrypt.key-store.location: ${storeLocation} holds a key with another password: config`,
    ]);
  });

  test('takes the way of writing from the settings', async () => {
    const key = new Secret('a password');
    expect(await (await open({ key, format: 'spring' })).encrypt(SECRET)).toMatch(/^[0-9a-f]{64}$/);
    const pem = { key: new Secret(PEM), keyPassphrase: new Secret('Mellon') };
    const text = await (
      await open({ ...pem, rsaAlgorithm: 'OAEP', rsaSalt: '00' })
    ).encrypt(SECRET);
    await expect((await open(pem)).decrypt(text)).rejects.toHaveProperty('code');
  });

  test('decrypts old values with the old key, after a new one was added', async () => {
    const old = await fileOf('old.key', newKeyFile());
    const text = await (await open({ keyFiles: [old] })).encrypt(SECRET);
    const rotated = await open({ keyFiles: [await fileOf('new.key', newKeyFile()), old] });
    expect(await rotated.decrypt(text)).toEqual(SECRET);
    const [kid] = rotated.aliases;
    expect(await rotated.encrypt(SECRET)).toMatch(new RegExp(`^v1\\.${kid}\\.`));
  });

  test('creates a key once, when asked to and no other is given', async () => {
    const rings = await Promise.all(Array.from({ length: 8 }, () => open({ generate: true })));
    const path = join(folder, 'data', 'encryption.key');
    const content = await readFile(path, 'utf8');
    expect((await stat(path)).mode & 0o7777).toBe(0o600);
    for (const [index, ring] of rings.entries()) {
      const other = rings.at(index - 1);
      expect(await other?.decrypt(await ring.encrypt(SECRET))).toEqual(SECRET);
    }
    await open({ generate: true });
    expect(await readFile(path, 'utf8')).toBe(content);
  });

  test('makes none beside one that is configured', async () => {
    await open({ generate: true, keyFiles: [await fileOf('a.key', newKeyFile())] });
    await expect(stat(join(folder, 'data'))).rejects.toHaveProperty('code', 'ENOENT');
  });

  test('names the directory in which no key can be made', async () => {
    await fileOf('data', 'a file where the directory should be');
    expect(await violationsOf({ generate: true })).toEqual([
      expect.stringContaining(`encrypt.generate: ${join(folder, 'data')}`),
    ]);
  });
});
