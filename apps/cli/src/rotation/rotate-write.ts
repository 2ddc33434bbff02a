// Owns replacing a file as a whole: who opens it finds all of the old content or all of the new.
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError } from '../cli-error.js';

const PERMISSIONS = 0o7777;

/**
 * Writes other content to a file, which keeps its permissions, and its owner where we may give files away.
 *
 * @param path no link: it would be replaced
 * @param before what the file must still hold
 * @throws CliError where it holds something else by now, or cannot be written; it is as it was then
 */
export async function replaceFile(path: string, before: Buffer, after: Buffer): Promise<void> {
  const directory = dirname(path);
  // The dot keeps servers that watch the directory from reading it.
  const unfinished = join(directory, `.tessera-${randomUUID()}`);
  try {
    await writeLike(await stat(path), unfinished, after);
    if (!before.equals(await readFile(path))) {
      throw new CliError('it has changed meanwhile: nothing was written to it');
    }
    await rename(unfinished, path);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`it cannot be written (${(error as NodeJS.ErrnoException).code})`);
  } finally {
    await rm(unfinished, { force: true });
  }
  await syncDirectory(directory);
}

async function writeLike(model: Stats, path: string, content: Buffer): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    // Not everybody may; the content is the same for whoever reads it now.
    await handle.chown(model.uid, model.gid).catch(() => undefined);
    await handle.chmod(model.mode & PERMISSIONS);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** So that the new name outlives a power cut. Not every file system can; the file is whole either way. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
