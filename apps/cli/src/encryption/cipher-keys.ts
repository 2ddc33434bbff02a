// The keys of a command: from a password, from a key file, or from the settings of the config server.
import { basename, extname } from 'node:path';
import {
  encryptionKeyFirst,
  envelopeRingKey,
  JasyptCipher,
  KeyRing,
  looksLikeKeyStore,
  passwordRingKey,
  readGuardedFile,
  readKeyFile,
  readKeyStore,
  rsaRingKey,
  SpringRsaCipher,
  type Cipher,
  type RingKey,
  type SpringRsaOptions,
  type StoredKey,
} from '@tessera/crypto';
import {
  CoreSettings,
  EncryptionSettings,
  Group,
  loadSettings,
  openKeyRing,
  type SettingsContext,
} from '@tessera/config';
import { CliError } from '../cli-error.js';
import { escapeForTerminal, writeLine, type Terminal } from '../terminal.js';
import {
  checkForAesFile,
  namesPassword,
  SPRING_SALT,
  usesPassword,
  type CipherOptions,
} from './cipher-options.js';

const FORMATS = { 'aes-gcm': 'aes-gcm', text: 'spring', delux: 'spring-gcm' } as const;

/** Sources of keys and passwords that the options do not contain. */
export interface KeySources extends Pick<KeyUse, 'encrypts' | 'readPassword'> {
  readonly configuredKeys: () => Promise<KeyRing>;
}

/** Opens the cipher that the options select. @throws CryptoError or CliError that names the invalid key or option */
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

/** NaN, which every cipher refuses, for a text that is no number in digits. */
export function iterationsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

export interface KeyUse {
  /** Whether a key of the file encrypts; with several keys, an alias has to select it. */
  readonly encrypts: boolean;
  /** Of a key in a key store. */
  readonly alias: string | undefined;
  /** From the options or a prompt. */
  readonly readPassword: () => Promise<string>;
}

/**
 * The key of a key file or PEM file, or all keys of a key store. The key of the alias, or the one that encrypts, comes
 * first. The first bytes determine the kind of the file, whatever its name is.
 *
 * @throws CryptoError KEY_UNUSABLE, naming the file; CliError where an alias is missing, naming those of the store, and
 *   for an alias of a file that is no key store
 */
export async function keysOfFile(
  path: string,
  options: CipherOptions,
  use: KeyUse,
): Promise<readonly RingKey[]> {
  const rsa = rsaOptions(options);
  const content = await readGuardedFile(path);
  try {
    if (looksLikeKeyStore(content)) {
      const stored = await keysOfStore(content, path, use);
      return stored.map(({ alias, key }) => rsaRingKey(alias, key, rsa));
    }
  } finally {
    content.fill(0);
  }
  const passphrase = namesPassword(options) ? await use.readPassword() : undefined;
  const file = await readKeyFile(path, passphrase);
  if (use.alias !== undefined) {
    throw new CliError(`${STORE_NEEDED}, of several the first: ${path} is none`);
  }
  const name = basename(path, extname(path));
  return [file.kind === 'rsa' ? rsaRingKey(name, file.key, rsa) : envelopeRingKey(file.key)];
}

async function keysOfStore(
  content: Buffer,
  path: string,
  { encrypts, alias, readPassword }: KeyUse,
): Promise<readonly StoredKey[]> {
  const stored = await readKeyStore(content, path, await readPassword());
  if (!encrypts && alias === undefined) return stored;
  const keys = encryptionKeyFirst(stored, alias);
  if (keys) return keys;
  const aliases = stored.map((key) => escapeForTerminal(key.alias)).join(', ');
  throw new CliError(`choose one of the keys in ${path} with --alias: ${aliases}`);
}

/** @throws CliError for an alias without a key file; {@link keysOfFile} checks that the file is a key store */
export function checkAlias(alias: string | undefined, keyFile: string | undefined): void {
  if (alias === undefined || keyFile !== undefined) return;
  throw new CliError(
    `${STORE_NEEDED}; of the one in the settings, encrypt.key-store.alias names the key`,
  );
}

const STORE_NEEDED = '--alias goes with a --key-file that is a key store';

function rsaOptions(options: CipherOptions): SpringRsaOptions {
  const { padding = 'DEFAULT', strong = false, salt = SPRING_SALT } = options;
  return { padding, strong, salt };
}

const APPLICATION = 'config-server';

class CipherSettings extends CoreSettings {
  @Group(EncryptionSettings) readonly encryption = new EncryptionSettings();
}

/**
 * The key ring that the config server has with the same settings. Without a profile and a key, the key ring of profile
 * dev, which a notice reports. Never creates a key, because no server would have it.
 *
 * @param argv the `--key=value` arguments
 * @throws SettingsError; CliError where there is no key
 */
export async function configuredKeys(
  argv: readonly string[],
  encrypts: boolean,
  { stderr }: Terminal,
): Promise<KeyRing> {
  const context = { application: APPLICATION, argv, sharedPrefixes: ['sso'] };
  const { settings, warnings } = await loadSettings(CipherSettings, context);
  for (const warning of warnings) writeLine(stderr, `tessera: ${escapeForTerminal(warning)}`);
  const usesDev = settings.profiles.length === 0 && settings.encryption.isEmpty;
  const { encryption } = usesDev ? await devSettings(context) : settings;
  const ring = { applicationName: APPLICATION, mayGenerate: false, encrypts };
  const keys = await openKeyRing(encryption, ring);
  if (keys.isEmpty) {
    throw new CliError(
      'there is no key: give --key-file or --password-file, or set encrypt.key-files',
    );
  }
  if (usesDev) {
    writeLine(stderr, 'tessera: no profile and no key given: using the key of profile dev');
  }
  return keys;
}

async function devSettings(context: SettingsContext): Promise<CipherSettings> {
  return (await loadSettings(CipherSettings, { ...context, defaultProfiles: ['dev'] })).settings;
}

/**
 * Warns on standard error that a cipher is too weak for new values. Reading old ones needs no warning.
 *
 * @param printed warnings that were printed before, and are not repeated
 */
export function warnAboutWeakCipher(
  cipher: Cipher,
  { stderr }: Pick<Terminal, 'stderr'>,
  printed = new Set<string>(),
): void {
  const warning = warningFor(cipher);
  if (warning === undefined || printed.has(warning)) return;
  printed.add(warning);
  writeLine(stderr, `tessera: ${warning}`);
}

function warningFor(cipher: Cipher): string | undefined {
  if (cipher instanceof JasyptCipher) return cipher.isLegacy ? LEGACY_ALGORITHM : undefined;
  const bits = weakBitsOf(cipher);
  return bits === undefined ? undefined : `this RSA key has ${bits} bits: ${SHORT_KEY}`;
}

const LEGACY_ALGORITHM =
  'this algorithm is for reading old values: write new ones with ' +
  'PBEWithHmacSHA512AndAES_256, or without --algorithm';

const SHORT_KEY =
  'use it to read old values, and write new ones with a key of 2048 bits or more (tessera keygen)';

/** The size of the key that encrypts, if it is an RSA key that is too short. */
function weakBitsOf(cipher: Cipher): number | undefined {
  if (cipher instanceof SpringRsaCipher) return cipher.weakBits;
  if (!(cipher instanceof KeyRing)) return undefined;
  const [newest] = cipher.aliases;
  return cipher.weakKeys.find(({ alias }) => alias === newest)?.bits;
}
