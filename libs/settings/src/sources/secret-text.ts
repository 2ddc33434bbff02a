// Owns the reading of a file that holds one secret and nothing else.
import { isUtf8 } from 'node:buffer';
import { CryptoError, readGuardedFile } from '@tessera/crypto';

/**
 * The text without its last line end.
 *
 * @param mayBeRead whether others may read the file
 * @throws CryptoError KEY_UNUSABLE where the file is none that can be trusted, is empty, or is not UTF-8
 */
export async function readSecretText(path: string, mayBeRead: boolean): Promise<string> {
  const content = await readGuardedFile(path, mayBeRead);
  if (!isUtf8(content)) throw new CryptoError('KEY_UNUSABLE', `${path} is not UTF-8 text`);
  const text = content.toString().replace(/\r?\n$/, '');
  if (text === '') throw new CryptoError('KEY_UNUSABLE', `${path} is empty`);
  return text;
}
