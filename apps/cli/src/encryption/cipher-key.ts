// Opens the cipher that the options of a command ask for: by a password, by a key file, or as the
// config server is set up.
import { JasyptCipher, KeyRing, passwordRingKey, type Cipher } from '@tessera/crypto';
import { CliError } from '../cli-error.js';
import { keysOfFile, type KeyUse } from './cipher-key-file.js';
import {
  checkForAesFile,
  SPRING_SALT,
  usesPassword,
  type CipherOptions,
} from './cipher-options.js';

const FORMATS = { 'aes-gcm': 'aes-gcm', text: 'spring', delux: 'spring-gcm' } as const;

/** Where the keys come from that the options do not hold themselves. */
export interface KeySources extends Pick<KeyUse, 'encrypts' | 'readPassword'> {
  readonly configuredKeys: () => Promise<KeyRing>;
}

/** @throws CryptoError or CliError that names the key or option at fault */
export async function openCipher(options: CipherOptions, sources: KeySources): Promise<Cipher> {
  const { keyFile, alias } = options;
  if (keyFile !== undefined) {
    const keys = await keysOfFile(keyFile, options, { ...sources, alias });
    if (keys.every(({ publicKey }) => publicKey === undefined)) checkForAesFile(options);
    return new KeyRing(alias === undefined ? keys : keys.slice(0, 1));
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
