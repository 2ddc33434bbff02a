// Reads a file that holds one secret.
import { isUtf8 } from 'node:buffer';
import { CryptoError, readGuardedFile } from '@tessera/crypto';

/**
 * The text of a file that holds one secret, without the final line end.
 *
 * @param mayBeReadByOthers whether the file mode may allow other users to read it
 * @throws CryptoError KEY_UNUSABLE if the file is not safe, empty, or not UTF-8
 */
export async function readSecretFile(path: string, mayBeReadByOthers: boolean): Promise<string> {
  const content = await readGuardedFile(path, mayBeReadByOthers);
  if (!isUtf8(content)) throw new CryptoError('KEY_UNUSABLE', `${path} is not UTF-8 text`);
  const text = content.toString().replace(/\r?\n$/, '');
  if (text === '') throw new CryptoError('KEY_UNUSABLE', `${path} is empty`);
  return text;
}
