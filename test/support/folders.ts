// Temporary folders.
import { chmod, lstat, mkdtemp, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@tessera/embedded-postgres';

/** Creates a folder that every user may enter. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'tessera-spec-'));
  await chmod(folder, 0o755);
  return folder;
}

/** Creates a folder with an initialised, stopped embedded PostgreSQL. */
export async function initialisedFolder(): Promise<string> {
  const folder = await makeFolder();
  const server = await openEmbeddedPostgres({ directory: folder, durable: false });
  await server.stop();
  return folder;
}

/** Removes a folder. If it is a symbolic link, its target is removed too. */
export async function removeFolder(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isSymbolicLink()) await rm(await readlink(folder), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
