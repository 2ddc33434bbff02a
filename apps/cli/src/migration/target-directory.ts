// Writes the new directory: all of it, or nothing.
import { mkdir, mkdtemp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeReadError } from '@tessera/runtime';
import { CliError } from '../cli-error.js';

/** @throws CliError where there is something at the path */
export async function refuseTaken(path: string): Promise<void> {
  try {
    if ((await readdir(path)).length === 0) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new CliError(`${path} ${describeReadError(error)}`);
  }
  throw new CliError(`${path} is not empty: give a new directory`);
}

/**
 * Runs `write` on a directory beside the path, with mode 0700, then renames it.
 *
 * @throws CliError where the directory cannot be made
 */
export async function writeDirectory(
  path: string,
  write: (directory: string) => Promise<void>,
): Promise<void> {
  const partial = await makePartial(path);
  try {
    await write(partial);
    await refuseTaken(path);
    await rmdir(path).catch(() => undefined);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function makePartial(path: string): Promise<string> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return await mkdtemp(`${path}.`);
  } catch (error) {
    throw new CliError(`${path} ${describeReadError(error)}`);
  }
}
