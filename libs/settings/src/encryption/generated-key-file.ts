// Makes the key of a development set-up, once: nobody has to configure one, and it outlives a restart.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { CryptoError, newKeyFile, writeKeyFile } from '@tessera/crypto';
import { makeDirectories } from '@tessera/runtime';

/**
 * The path of the key file in a directory; both are made where they are missing. Of several processes
 * that start at once one makes it.
 *
 * @param mayMake false for those who only use a key that is there
 * @returns undefined where there is none, and none may be made
 * @throws CryptoError KEY_UNUSABLE, naming the file
 */
export async function generatedKeyFile(
  directory: string,
  mayMake: boolean,
): Promise<string | undefined> {
  const path = join(directory, 'encryption.key');
  if (!(await exists(path))) {
    if (!mayMake) return undefined;
    await makeDirectory(directory);
    await writeKeyFile(
      path,
      `# made for development; losing it loses every protected value\n${newKeyFile()}`,
    );
  }
  return path;
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await makeDirectories(path);
  } catch (error) {
    const message = `${path} cannot be made a directory (${(error as NodeJS.ErrnoException).code})`;
    throw new CryptoError('KEY_UNUSABLE', message, { cause: error });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
