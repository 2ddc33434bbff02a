// Owns the making of directories with those above them.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory and those above it where they are missing; others may make them at the same time. Node's own way
 * never ends below a directory in which nothing can be made, such as `/proc`.
 *
 * @returns the first that was made; undefined where the directory was there
 * @throws Error of the operating system, with its `code`
 */
export async function makeDirectories(path: string, mode = 0o777): Promise<string | undefined> {
  try {
    return (await makeDirectory(path, mode)) ? path : undefined;
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    const first = await makeDirectories(parent, mode);
    return (await makeDirectory(path, mode)) ? (first ?? path) : first;
  }
}

/** @returns false where there was one */
async function makeDirectory(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (isTaken && (await isDirectory(path))) return false;
    throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
