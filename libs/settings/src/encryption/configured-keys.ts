// Turns what the settings name, files and texts, into keys of the ring. What fails says which file.
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

/** What `{key:…}` calls the key of `encrypt.key`. */
const ALIAS_OF_KEY = 'default';

/** What else has to be known of a key file: its passphrase, and how an RSA key is used. */
export type KeyFileSettings = Pick<
  EncryptionSettings,
  'keyPassphrase' | 'rsaAlgorithm' | 'rsaStrong' | 'rsaSalt'
>;

/** @throws CryptoError KEY_UNUSABLE, as all here */
export async function keyOfFile(path: string, settings: KeyFileSettings): Promise<RingKey> {
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

/** All keys of the store: first the one that the alias names or, where the store `encrypts`, the only one. */
export async function keysOfStore(
  path: string,
  settings: EncryptionSettings,
  encrypts: boolean,
): Promise<readonly RingKey[]> {
  const content = await readGuardedFile(path);
  const stored = await readKeyStore(content, path, settings.storePassword?.reveal() ?? '');
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

/** What `{key:…}` calls a key whose file does not say. */
function nameOf(path: string): string {
  return basename(path, extname(path));
}
