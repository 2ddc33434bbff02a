// Turns what the settings name, files and texts, into keys of the ring. What fails says which file.
import { basename, extname } from 'node:path';
import {
  CryptoError,
  envelopeRingKey,
  looksLikePem,
  passwordRingKey,
  privateKeyOfPem,
  readGuardedFile,
  readKeyFile,
  readKeyStore,
  rsaRingKey,
  type RingKey,
  type StoredKey,
} from '@tessera/crypto';
import type { EncryptionSettings } from './encryption-settings.js';

/** What `{key:…}` calls the key of `encrypt.key`. */
const ALIAS_OF_KEY = 'default';

/** @throws CryptoError KEY_UNUSABLE, as all here */
export async function keyOfFile(path: string, settings: EncryptionSettings): Promise<RingKey> {
  const file = await readKeyFile(path, settings.keyPassphrase?.reveal());
  if (file.kind === 'rsa') return rsaRingKey(nameOf(path), file.key, rsaOptions(settings));
  try {
    return envelopeRingKey(file.key);
  } finally {
    file.key.key.fill(0);
  }
}

/** @param key a password or PEM */
export async function keyOfText(key: string, settings: EncryptionSettings): Promise<RingKey> {
  const { salt, format, keyPassphrase } = settings;
  if (!looksLikePem(key)) {
    return passwordRingKey({ alias: ALIAS_OF_KEY, password: key, salt, format });
  }
  const privateKey = privateKeyOfPem(key, 'the key', keyPassphrase?.reveal());
  return rsaRingKey(ALIAS_OF_KEY, privateKey, rsaOptions(settings));
}

/** All keys of the store, the one that encrypts first. */
export async function keysOfStore(
  path: string,
  settings: EncryptionSettings,
): Promise<readonly RingKey[]> {
  const content = await readGuardedFile(path);
  const stored = await readKeyStore(content, path, settings.storePassword?.reveal() ?? '');
  const newest = keyThatEncrypts(stored, settings.storeAlias, path);
  return [newest, ...stored.filter((key) => key !== newest)].map(({ alias, key }) =>
    rsaRingKey(alias ?? nameOf(path), key, rsaOptions(settings)),
  );
}

/** Java does not tell the cases of letters in an alias. */
function keyThatEncrypts(stored: readonly StoredKey[], wanted: string, path: string): StoredKey {
  const [only, ...others] = stored.filter(
    ({ alias }) => wanted === '' || alias?.toLowerCase() === wanted.toLowerCase(),
  );
  if (only && others.length === 0) return only;
  const aliases = stored.map(({ alias }) => alias ?? '(no name)').join(', ');
  const message = `set encrypt.key-store.alias to one of the keys in ${path}: ${aliases}`;
  throw new CryptoError('KEY_UNUSABLE', message);
}

function rsaOptions(settings: EncryptionSettings): Parameters<typeof rsaRingKey>[2] {
  const { rsaAlgorithm: padding, rsaStrong: strong, rsaSalt: salt } = settings;
  return { padding, strong, salt };
}

/** What `{key:…}` calls a key whose file does not say. */
function nameOf(path: string): string {
  return basename(path, extname(path));
}
