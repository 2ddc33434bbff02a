// Owns the writing of files that are for nobody but their owner.
import { open } from 'node:fs/promises';

/**
 * Writes a new file (mode 0600), and returns when it would outlive a power cut. To have it found whole or not at all, write
 * it under another name and link or rename it.
 *
 * @throws Error of the operating system, with its `code`: EEXIST where there is anything of that name
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
