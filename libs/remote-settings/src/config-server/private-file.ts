// Owns files that are for nobody but the user of this process: how they are replaced, and which are not trusted. Faults are
// texts that name the file.
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { writePrivateFile } from '@tessera/runtime';

const MOST_BYTES = 1_048_576;
/** No link is followed, and a named pipe keeps nobody waiting. Windows knows neither flag. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const OF_OTHERS = 0o077;

/** The text of at most 1 MiB of a regular file that is the user's own, and that nobody else may read or write. */
export async function readPrivateFile(
  path: string,
): Promise<{ readonly text: string } | { readonly fault: string }> {
  try {
    const handle = await open(path, READ);
    try {
      const fault = distrust(await handle.stat());
      if (fault !== undefined) return { fault: `${path} ${fault}` };
      return { text: await handle.readFile('utf8') };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { fault: `${path} ${code === 'ELOOP' ? 'is a link' : `cannot be read (${code})`}` };
  }
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

/** Asks what was opened: a file that takes its name afterwards is not read. */
function distrust(stats: Stats): string | undefined {
  if (!stats.isFile()) return 'is no regular file';
  if (stats.size > MOST_BYTES) return `has more than ${MOST_BYTES} bytes`;
  if (process.geteuid && stats.uid !== process.geteuid()) return 'belongs to another user';
  if ((stats.mode & OF_OTHERS) === 0) return undefined;
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0');
  return `has mode ${mode}, which lets others at it`;
}
