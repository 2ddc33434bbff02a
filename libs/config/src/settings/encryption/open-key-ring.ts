// Opens the key ring that the settings describe, and generates the key of a development set-up.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureKeyFile, KeyRing, type RingKey } from '@tessera/crypto';
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
  const path = join(dataDirectory, 'encryption.key');
  if (mayGenerate) await ensureKeyFile(path, 'losing it loses every protected value');
  else if (!(await exists(path))) return [];
  return [await keyOfFile(path, settings)];
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
