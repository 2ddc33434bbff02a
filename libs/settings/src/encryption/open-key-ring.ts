// Opens the key ring that the settings describe, and reports all that stands in the way at once.
import { KeyRing, type RingKey } from '@tessera/crypto';
import { attempt } from '../attempt.js';
import { SettingsError } from '../settings-error.js';
import { keyOfFile, keyOfText, keysOfStore } from './configured-keys.js';
import type { EncryptionSettings } from './encryption-settings.js';
import { generatedKeyFile } from './generated-key-file.js';

export interface KeyRingContext {
  /** Whose settings they are, for the message. */
  readonly applicationName: string;
  /** Where a generated key is kept; default: `./.data`. */
  readonly dataDirectory?: string;
  /** Whether a key may be generated; else only one that was is used. Default: true. */
  readonly makesKey?: boolean;
  /** Else a store of several keys needs no alias. Default: true. */
  readonly encrypts?: boolean;
}

/** A setting, and how the keys are opened that it gives. */
type KeySource = readonly [setting: string, open: () => Promise<readonly RingKey[]>];

/**
 * The keys of `encrypt.key-files`, of `encrypt.key` and of the key store, tried in this order; the first
 * encrypts. The ring is empty where there is none, and none is generated.
 *
 * @param settings that have been checked
 * @throws SettingsError with every problem at once, each naming the setting and the file
 */
export async function openKeyRing(
  settings: EncryptionSettings,
  context: KeyRingContext,
): Promise<KeyRing> {
  const attempts = [...sourcesOf(settings, context)].map(([setting, open]) =>
    attempt(setting, open),
  );
  const opened = await Promise.all(attempts);
  const keys = opened.flatMap(({ result = [] }) => result);
  const ring = await attempt('encrypt.key-files', () => new KeyRing(keys));
  const problems = [...opened, ring].flatMap((each) => each.problems);
  if (ring.result === undefined || problems.length > 0) {
    throw new SettingsError(context.applicationName, problems);
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
  { dataDirectory = './.data', makesKey = true }: KeyRingContext,
): Promise<readonly RingKey[]> {
  const path = await generatedKeyFile(dataDirectory, makesKey);
  return path === undefined ? [] : [await keyOfFile(path, settings)];
}
