// Opens the configured keys: key files, texts and key stores. Errors name the file.
import { basename, extname } from 'node:path';
import {
  CryptoError,
  encryptionKeyFirst,
  envelopeRingKey,
  looksLikePem,
  passwordRingKey,
  privateKeyOfPem,
  readGuardedFile,
  readKeyFile,
  readKeyStore,
  rsaRingKey,
  type RingKey,
} from '@tessera/crypto';
import type { EncryptionSettings } from './encryption-settings.js';

/** The name of `encrypt.key` in `{key:…}`. */
const KEY_ALIAS = 'default';

/** The passphrase of a key file, and the options of an RSA key. */
export type KeyFileSettings = Pick<
  EncryptionSettings,
  'keyPassphrase' | 'rsaAlgorithm' | 'rsaStrong' | 'rsaSalt'
>;

/** @throws CryptoError KEY_UNUSABLE */
export async function keyOfFile(path: string, settings: KeyFileSettings): Promise<RingKey> {
  const file = await readKeyFile(path, settings.keyPassphrase?.reveal());
  if (file.kind === 'rsa') return rsaRingKey(nameOf(path), file.key, rsaOptions(settings));
  try {
    return envelopeRingKey(file.key);
  } finally {
    file.key.key.fill(0);
  }
}

/** @param key a password or PEM @throws CryptoError KEY_UNUSABLE */
export async function keyOfText(key: string, settings: EncryptionSettings): Promise<RingKey> {
  const { salt, format, keyPassphrase } = settings;
  if (!looksLikePem(key)) {
    return passwordRingKey({ alias: KEY_ALIAS, password: key, salt, format });
  }
  const privateKey = privateKeyOfPem(key, 'the key', keyPassphrase?.reveal());
  return rsaRingKey(KEY_ALIAS, privateKey, rsaOptions(settings));
}

/**
 * All keys of a store. The key that encrypts comes first: the one with the configured alias, or the only one.
 *
 * @throws CryptoError KEY_UNUSABLE
 */
export async function keysOfStore(
  path: string,
  settings: EncryptionSettings,
  encrypts: boolean,
): Promise<readonly RingKey[]> {
  const content = await readGuardedFile(path);
  const password = settings.storePassword?.reveal() ?? '';
  const stored = await readKeyStore(content, path, password, settings.storeSecret?.reveal());
  const wanted = settings.storeAlias || undefined;
  const keys = encrypts || wanted ? encryptionKeyFirst(stored, wanted) : stored;
  if (!keys) {
    const aliases = stored.map(({ alias }) => alias).join(', ');
    const message = `set encrypt.key-store.alias to one of the keys in ${path}: ${aliases}`;
    throw new CryptoError('KEY_UNUSABLE', message);
  }
  return keys.map(({ alias, key }) => rsaRingKey(alias, key, rsaOptions(settings)));
}

function rsaOptions(settings: KeyFileSettings): Parameters<typeof rsaRingKey>[2] {
  const { rsaAlgorithm: padding, rsaStrong: strong, rsaSalt: salt } = settings;
  return { padding, strong, salt };
}

/** The name in `{key:…}` of a key whose file has no name for it. */
function nameOf(path: string): string {
  return basename(path, extname(path));
}
