// Opens the cipher that the options of a command ask for: by a password, by a key file, or as the
// config server is set up.
import { basename, extname } from 'node:path';
import {
  envelopeRingKey,
  JasyptCipher,
  KeyRing,
  passwordRingKey,
  readGuardedFile,
  readKeyFile,
  readKeyStore,
  rsaRingKey,
  type Cipher,
  type RingKey,
  type SpringRsaOptions,
} from '@tessera/crypto';
import { CliError } from '../cli-error.js';
import { namesPassword, usesPassword, type CipherOptions } from './cipher-options.js';

export const SPRING_SALT = 'deadbeef';

const KEY_STORE = /\.(p12|pfx)$/i;
const FORMATS = { 'aes-gcm': 'aes-gcm', text: 'spring', delux: 'spring-gcm' } as const;

/** Where the keys come from that the options do not hold themselves. */
export interface KeySources {
  readonly configuredKeys: () => Promise<KeyRing>;
  /** Of the options, or asked for. */
  readonly readPassword: () => Promise<string>;
}

/** @throws CryptoError or CliError that names the key or option at fault */
export async function openCipher(options: CipherOptions, sources: KeySources): Promise<Cipher> {
  const { keyFile } = options;
  if (keyFile !== undefined) {
    return new KeyRing(await keysOfFile(keyFile, options, sources));
  }
  return usesPassword(options)
    ? cipherOfPassword(await sources.readPassword(), options)
    : sources.configuredKeys();
}

/** NaN, which no cipher takes, where it is no number in digits. */
export function iterationsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

async function cipherOfPassword(password: string, options: CipherOptions): Promise<Cipher> {
  const { algorithm, iterations, provider, iv, salt = SPRING_SALT } = options;
  const { kind = algorithm === undefined ? 'aes-gcm' : 'jasypt' } = options;
  if (kind === 'jasypt') {
    if (algorithm === undefined) throw new CliError('--kind jasypt needs an --algorithm');
    const jasypt = { algorithm, password, provider, iterations: iterationsOf(iterations) };
    return JasyptCipher.open({ ...jasypt, hasIvGenerator: iv });
  }
  if (kind === 'rsa') throw new CliError('--kind rsa needs a --key-file');
  const format = FORMATS[kind];
  return new KeyRing([await passwordRingKey({ alias: 'password', password, salt, format })]);
}

/** The key of a file, or all of a key store. @throws CryptoError KEY_UNUSABLE, naming the file */
export async function keysOfFile(
  path: string,
  options: CipherOptions,
  { readPassword }: Pick<KeySources, 'readPassword'>,
): Promise<readonly RingKey[]> {
  const alias = basename(path, extname(path));
  const rsa = rsaOptions(options);
  if (KEY_STORE.test(path)) {
    const content = await readGuardedFile(path);
    const keys = await readKeyStore(content, path, await readPassword());
    return keys.map((stored) => rsaRingKey(stored.alias ?? alias, stored.key, rsa));
  }
  const passphrase = namesPassword(options) ? await readPassword() : undefined;
  const file = await readKeyFile(path, passphrase);
  return [file.kind === 'rsa' ? rsaRingKey(alias, file.key, rsa) : envelopeRingKey(file.key)];
}

function rsaOptions(options: CipherOptions): SpringRsaOptions {
  const { padding = 'DEFAULT', strong = false, salt = SPRING_SALT } = options;
  return { padding, strong, salt };
}
