import { open } from 'node:fs/promises';

/**
 * Writes a new file with mode 0600 and syncs it to disk. For an atomic write, write it under another name, and link or
 * rename it.
 *
 * @throws Error of the operating system, with its `code`: EEXIST when the name is taken
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
