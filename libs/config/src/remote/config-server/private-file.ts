// Files that only the user of this process may access. Error texts name the file.
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { readRegularFile, writePrivateFile } from '@tessera/runtime';

const MAX_BYTES = 1_048_576;
const OTHERS_MASK = 0o077;

/** The text of a regular file of at most 1 MiB that belongs to the user and that nobody else may read or write. */
export async function readPrivateFile(
  path: string,
): Promise<{ readonly text: string } | { readonly error: string }> {
  const reading = await readRegularFile(path, MAX_BYTES, {
    refusesLinks: true,
    check: whyUntrusted,
  });
  return 'error' in reading
    ? { error: `${path} ${reading.error}` }
    : { text: reading.content.toString() };
}

/**
 * Replaces a file atomically.
 *
 * @returns why it failed
 */
export async function replacePrivateFile(path: string, text: string): Promise<string | undefined> {
  if (text.length > MAX_BYTES) return `${path} would have more than ${MAX_BYTES} bytes`;
  const unfinished = `${path}.${randomUUID()}.unfinished`;
  try {
    await writePrivateFile(unfinished, text);
    await rename(unfinished, path);
    return undefined;
  } catch (error) {
    await rm(unfinished, { force: true });
    return `${path} cannot be written (${(error as NodeJS.ErrnoException).code})`;
  }
}

function whyUntrusted(stats: Stats): string | undefined {
  if (process.geteuid && stats.uid !== process.geteuid()) return 'belongs to another user';
  if ((stats.mode & OTHERS_MASK) === 0) return undefined;
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0');
  return `has mode ${mode}, which lets others at it`;
}
