// Opens the key ring that the settings describe, and generates the key of a development set-up.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyRing, type RingKey, CryptoError, newKeyFile, writeKeyFile } from '@tessera/crypto';
import { makeDirectories } from '@tessera/runtime';
import { catchCryptoError } from '../catch-crypto-error.js';
import { SettingsError } from '../settings-error.js';
import { keyOfFile, keyOfText, keysOfStore } from './configured-keys.js';
import type { EncryptionSettings } from './encryption-settings.js';

export interface KeyRingContext {
  /** For the error message. */
  readonly applicationName: string;
  /** The directory of a generated key. Default: `./.data`. */
  readonly dataDirectory?: string;
  /** Whether a key may be generated; if not, only an existing one is used. Default: true. */
  readonly mayGenerate?: boolean;
  /** Whether the ring encrypts too. Only then a store of several keys needs an alias. Default: true. */
  readonly encrypts?: boolean;
}

/** A setting, and a function that opens its keys. */
type KeySource = readonly [setting: string, open: () => Promise<readonly RingKey[]>];

/**
 * The keys of `encrypt.key-files`, of `encrypt.key` and of the key store, in this order; the first one encrypts. The ring
 * is empty if no key is configured and none is generated.
 *
 * @param settings valid settings
 * @throws SettingsError with all violations; each names the setting and the file
 */
export async function openKeyRing(
  settings: EncryptionSettings,
  context: KeyRingContext,
): Promise<KeyRing> {
  const attempts = [...sourcesOf(settings, context)].map(([setting, open]) =>
    catchCryptoError(setting, open),
  );
  const opened = await Promise.all(attempts);
  const keys = opened.flatMap(({ result = [] }) => result);
  const ring = await catchCryptoError('encrypt.key-files', () => new KeyRing(keys));
  const violations = [...opened, ring].flatMap((each) => each.violations);
  if (ring.result === undefined || violations.length > 0) {
    throw new SettingsError(context.applicationName, violations);
  }
  return ring.result;
}

function* sourcesOf(settings: EncryptionSettings, context: KeyRingContext): Iterable<KeySource> {
  const { keyFiles, key, storePath } = settings;
  for (const path of keyFiles) {
    yield ['encrypt.key-files', async () => [await keyOfFile(path, settings)]];
  }
  if (key !== undefined) {
    yield ['encrypt.key', async () => [await keyOfText(key.reveal(), settings)]];
  }
  if (storePath !== undefined) {
    const encrypts = (context.encrypts ?? true) && keyFiles.length === 0 && key === undefined;
    yield ['encrypt.key-store.location', () => keysOfStore(storePath, settings, encrypts)];
  }
  if (settings.isEmpty && settings.generate) {
    yield ['encrypt.generate', () => generatedKey(settings, context)];
  }
}

async function generatedKey(
  settings: EncryptionSettings,
  { dataDirectory = './.data', mayGenerate = true }: KeyRingContext,
): Promise<readonly RingKey[]> {
  const path = await generatedKeyFile(dataDirectory, mayGenerate);
  return path === undefined ? [] : [await keyOfFile(path, settings)];
}

/**
 * The path of the key file in a directory; creates both if they are missing. If several processes start at once, only one
 * of them creates the key.
 *
 * @returns undefined if there is no key and none may be generated
 * @throws CryptoError KEY_UNUSABLE; the message names the file
 */
async function generatedKeyFile(
  directory: string,
  mayGenerate: boolean,
): Promise<string | undefined> {
  const path = join(directory, 'encryption.key');
  if (!(await exists(path))) {
    if (!mayGenerate) return undefined;
    await makeDirectory(directory);
    await writeKeyFile(
      path,
      `# made for development; losing it loses every protected value\n${newKeyFile()}`,
    );
  }
  return path;
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await makeDirectories(path);
  } catch (error) {
    const message = `${path} cannot be made a directory (${(error as NodeJS.ErrnoException).code})`;
    throw new CryptoError('KEY_UNUSABLE', message, error);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
