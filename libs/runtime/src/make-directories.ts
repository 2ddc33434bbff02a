import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a directory and its missing parents; other processes may create them at the same time. Node's recursive `mkdir`
 * never ends below a directory such as `/proc`, in which nothing can be created.
 *
 * @returns the first directory that it created; undefined when the directory existed
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

/** @returns false when the directory existed */
async function makeDirectory(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (exists && (await isDirectory(path))) return false;
    throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
