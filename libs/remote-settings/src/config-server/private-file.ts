// Owns files that are for nobody but the user of this process: how they are replaced, and which are not trusted. Faults are
// texts that name the file.
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { readRegularFile, writePrivateFile } from '@tessera/runtime';

const MOST_BYTES = 1_048_576;
const OF_OTHERS = 0o077;

/** The text of at most 1 MiB of a regular file that is the user's own, and that nobody else may read or write. */
export async function readPrivateFile(
  path: string,
): Promise<{ readonly text: string } | { readonly fault: string }> {
  const reading = await readRegularFile(path, MOST_BYTES, { refusesLinks: true, distrust });
  return 'fault' in reading
    ? { fault: `${path} ${reading.fault}` }
    : { text: reading.content.toString() };
}

/**
 * Puts a new file in the place of the one before, as a whole: who opens it finds one of them.
 *
 * @returns why it cannot
 */
export async function replacePrivateFile(path: string, text: string): Promise<string | undefined> {
  if (text.length > MOST_BYTES) return `${path} would have more than ${MOST_BYTES} bytes`;
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

function distrust(stats: Stats): string | undefined {
  if (process.geteuid && stats.uid !== process.geteuid()) return 'belongs to another user';
  if ((stats.mode & OF_OTHERS) === 0) return undefined;
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0');
  return `has mode ${mode}, which lets others at it`;
}
