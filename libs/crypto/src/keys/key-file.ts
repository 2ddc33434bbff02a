// Reads and writes files of one key: our own form, or PEM. What the key is used for is the key ring's affair.
import { randomUUID, type KeyObject } from 'node:crypto';
import { link, rm } from 'node:fs/promises';
import { writePrivateFile } from '@tessera/runtime';
import { readGuardedFile } from './guarded-file.js';
import { parseKeyFile, type EnvelopeKey } from './key-line.js';
import { refuseJavaStore } from './key-store.js';
import { looksLikePem, privateKeyOfPem } from './pem-key.js';
import { unusable } from './unusable-key.js';

/** What a key file holds: an AES key of our own form, or an RSA private key. */
export type KeyFile =
  | { readonly kind: 'envelope'; readonly key: EnvelopeKey }
  | { readonly kind: 'rsa'; readonly key: KeyObject };

/**
 * @param passphrase for PEM that is encrypted
 * @throws CryptoError KEY_UNUSABLE, naming the file: it cannot be read, too many people may read or
 *   write it, or it holds no such key
 */
export async function readKeyFile(path: string, passphrase?: string): Promise<KeyFile> {
  const content = await readGuardedFile(path);
  try {
    refuseJavaStore(content, path);
    const text = content.toString('latin1');
    if (looksLikePem(text)) return { kind: 'rsa', key: privateKeyOfPem(text, path, passphrase) };
    return { kind: 'envelope', key: parseKeyFile(text, path) };
  } finally {
    content.fill(0);
  }
}

/**
 * Writes a new file that its owner alone may read (mode 0600), at once and as a whole: who opens it
 * finds all of it or nothing.
 *
 * @returns false where there is a file of that name, which stays as it is
 * @throws CryptoError KEY_UNUSABLE, naming the file, where it cannot be written
 */
export async function writeKeyFile(path: string, text: string): Promise<boolean> {
  const unfinished = `${path}.${randomUUID()}.unfinished`;
  try {
    await writePrivateFile(unfinished, text);
    // Of several links to one name the first wins; renaming would replace what is there.
    await link(unfinished, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw unusable(`${path} cannot be written (${code})`, error);
  } finally {
    await rm(unfinished, { force: true });
  }
}
