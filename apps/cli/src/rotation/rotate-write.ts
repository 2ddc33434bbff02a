// Owns replacing a file as a whole: who opens it finds all of the old content or all of the new.
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError } from '../cli-error.js';
import { isUnchanged, type ReadFile } from './rotate-read.js';

/** A file of settings is not to be run, by nobody as somebody else. */
const PERMISSIONS = 0o777;

/**
 * Writes other content to a file, which keeps its permissions, owner and group. They are those of what was read, whatever else
 * stands there for a moment.
 *
 * @param path no link: it would be replaced
 * @param before what the file was, and must be still
 * @throws CliError where it is another by now, cannot be written, or would become another user's; it is as it was then
 */
export async function replaceFile(path: string, before: ReadFile, after: Buffer): Promise<void> {
  const directory = dirname(path);
  // The dot keeps servers that watch the directory from reading it.
  const unfinished = join(directory, `.tessera-${randomUUID()}`);
  try {
    await writeLike(before.stats, unfinished, after);
    if (!(await isUnchanged(path, before))) {
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
    // Not everybody may, and not every file system can: what came of it counts.
    await handle.chown(model.uid, model.gid).catch(() => undefined);
    const { uid, gid } = await handle.stat();
    if (uid !== model.uid || gid !== model.gid) {
      const owner = `${model.uid}:${model.gid}`;
      throw new CliError(`it would no longer belong to ${owner}: rotate as that user, or as root`);
    }
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
