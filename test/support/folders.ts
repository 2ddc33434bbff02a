// Folders for a test's own files.
import { chmod, lstat, mkdtemp, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@tessera/database';

/** A new folder that every user may pass through. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'tessera-spec-'));
  await chmod(folder, 0o755);
  return folder;
}

/** A new folder with an embedded PostgreSQL that was initialised and stopped. */
export async function initialisedFolder(): Promise<string> {
  const folder = await makeFolder();
  const server = await openEmbeddedPostgres({ directory: folder, durable: false });
  await server.stop();
  return folder;
}

/** Removes the folder; of a link, what it leads to as well. */
export async function removeFolder(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isSymbolicLink()) await rm(await readlink(folder), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
