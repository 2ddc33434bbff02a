// Opens the keys of a file that an option names: one of tessera keygen, PEM, or a key store.
import { basename, extname } from 'node:path';
import {
  encryptionKeyFirst,
  envelopeRingKey,
  looksLikeKeyStore,
  readGuardedFile,
  readKeyFile,
  readKeyStore,
  rsaRingKey,
  type RingKey,
  type SpringRsaOptions,
  type StoredKey,
} from '@tessera/crypto';
import { CliError } from '../cli-error.js';
import { escapeForTerminal } from '../terminal-escape.js';
import { namesPassword, SPRING_SALT, type CipherOptions } from './cipher-options.js';

/** What the keys of a file are for. */
export interface KeyUse {
  /** Whether a key of the file is to encrypt: of several, which one has to be said. */
  readonly encrypts: boolean;
  /** Of the key in a key store that is meant. */
  readonly alias: string | undefined;
  /** Of the options, or asked for. */
  readonly readPassword: () => Promise<string>;
}

/**
 * The key of a file, or all of a key store: the one first that the alias names, or that encrypts. Its first bytes tell
 * what a file is, whatever it is called.
 *
 * @throws CryptoError KEY_UNUSABLE, naming the file; CliError with the aliases there are, where none is chosen, or for an
 *   alias where there is no key store
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

/** @throws CliError where there is no file with keys that an alias could name; of what kind it is, {@link keysOfFile} sees */
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
