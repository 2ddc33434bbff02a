// Reads and writes files of one key: our own format `v1.<kid>.<32 bytes in base64url>`, or PEM.
import { type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { access, link, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, makeDirectories, readRegularFile, writePrivateFile } from '@tessera/runtime';
import { keyId, kidOf } from '../ciphers/envelope-cipher.js';
import { keyUnusable } from '../crypto-error.js';
import { rejectJceks } from './key-store.js';
import { looksLikePem, privateKeyOfPem } from './pem-key.js';

/** An AES key in our own format, or an RSA private key in PEM. */
export type KeyFile =
  | { readonly kind: 'envelope'; readonly key: EnvelopeKey }
  | { readonly kind: 'rsa'; readonly key: KeyObject };

/**
 * @param passphrase for encrypted PEM
 * @throws CryptoError KEY_UNUSABLE, naming the file, where it cannot be read, its mode is too open, or it
 *   holds no such key
 */
export async function readKeyFile(path: string, passphrase?: string): Promise<KeyFile> {
  const content = await readGuardedFile(path);
  try {
    rejectJceks(content, path);
    const text = content.toString('latin1');
    if (looksLikePem(text)) return { kind: 'rsa', key: privateKeyOfPem(text, path, passphrase) };
    return { kind: 'envelope', key: parseKeyFile(text, path) };
  } finally {
    content.fill(0);
  }
}

/**
 * Creates a file of mode 0600 atomically: readers see the whole content or no file.
 *
 * @returns false where the file exists; it stays as it is
 * @throws CryptoError KEY_UNUSABLE, naming the file, where it cannot be written
 */
export async function writeKeyFile(path: string, text: string): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}.unfinished`;
  try {
    await writePrivateFile(temporary, text);
    // A link fails where the file exists; a rename would replace it.
    await link(temporary, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw keyUnusable(`${path} cannot be written (${code})`, error);
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Makes a key file, and its directory, where there is none. Of several processes that call this at once, one makes the key.
 *
 * @param loss the comment in the file: what is lost with it
 * @throws CryptoError KEY_UNUSABLE, naming the file or the directory, where it cannot be written
 */
export async function ensureKeyFile(path: string, loss: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) return;
  const directory = dirname(path);
  try {
    await makeDirectories(directory);
  } catch (error) {
    throw keyUnusable(`${directory} cannot be made a directory (${codeOf(error)})`, error);
  }
  await writeKeyFile(path, `# made for development; ${loss}\n${newKeyFile()}`);
}

const KEY_BYTES = 32;

/** A key of `EnvelopeCipher`, and the id in its texts. */
export interface EnvelopeKey {
  readonly kid: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/**
 * A new random key as the text of a key file.
 *
 * @param kid 1 to 64 of `A-Z a-z 0-9 _ -`, not secret; derived from the key by default
 * @throws CryptoError KEY_UNUSABLE for an invalid kid
 */
export function newKeyFile(kid?: string): string {
  const key = randomBytes(KEY_BYTES);
  const line = `v1.${kid ?? keyId(key)}.${key.toString('base64url')}`;
  if (kid !== undefined && kidOf(line) !== kid) {
    throw keyUnusable('the id of a key has 1 to 64 letters, digits, "_" and "-"');
  }
  return `${line}\n`;
}

/** @throws CryptoError KEY_UNUSABLE, naming `path`, unless the content has exactly one key */
function parseKeyFile(content: string, path: string): EnvelopeKey {
  const [line = '', ...others] = linesOf(content);
  const key = others.length > 0 ? undefined : parseEnvelopeKey(line);
  if (key !== undefined) return key;
  const expected = 'one line "v1.<id>.<256 bits in base64url>", or PEM of a private key';
  throw keyUnusable(`${path} must hold ${expected}`);
}

/** The key in the line `v1.<kid>.<32 bytes in base64url>`; undefined for any other text. */
export function parseEnvelopeKey(line: string): EnvelopeKey | undefined {
  const kid = kidOf(line);
  const digits = line.slice(`v1.${kid}.`.length);
  const key = Buffer.from(digits, 'base64url');
  // The last digit has two unused bits. This accepts only one spelling of each key.
  const isComplete = key.length === KEY_BYTES && key.toString('base64url') === digits;
  return kid !== undefined && isComplete ? { kid, key } : undefined;
}

function linesOf(content: string): readonly string[] {
  const lines = content.split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

const MAX_BYTES = 1024 * 1024;
/** Readable by others, or writable by group or others. */
const FORBIDDEN_MODE = 0o026;
/** For mounted files: Docker makes its secrets readable by every user of the container. */
const FORBIDDEN_MODE_OF_MOUNTED = 0o022;

/**
 * Reads a secret from a regular file of at most 1 MiB whose mode is not too open. Follows links, because
 * Kubernetes mounts secrets as links. Callers overwrite the buffer after use.
 *
 * @param allowWorldReadable whether all users may read the file
 * @throws CryptoError KEY_UNUSABLE, naming the file and the command that corrects its mode
 */
export async function readGuardedFile(path: string, allowWorldReadable = false): Promise<Buffer> {
  const tooOpen = allowWorldReadable ? FORBIDDEN_MODE_OF_MOUNTED : FORBIDDEN_MODE;
  const reading = await readRegularFile(path, MAX_BYTES, {
    check: ({ mode }) => modeViolation(mode, tooOpen, path),
  });
  if ('content' in reading) return reading.content;
  throw keyUnusable(`${path} ${reading.error}`, reading.cause);
}

function modeViolation(mode: number, tooOpen: number, path: string): string | undefined {
  if ((mode & tooOpen) === 0) return undefined;
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  return `has mode ${shown}, which lets others at it: chmod 600 ${path}`;
}
