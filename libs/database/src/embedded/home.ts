// The folder a server lives in: the one it was asked for, or, when the server's user may not enter
// that one, a refuge with a link to it.
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  lstat,
  readdir,
  readFile,
  readlink,
  realpath,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { loggerFor } from '@tessera/logging';
import { makeDirectories } from '@tessera/runtime';
import { codeOf, DatabaseError } from '../errors.js';
import { canReach, type SystemUser } from './system-user.js';

const log = loggerFor('database');

/** Durable, and open to every user: for the data and programs of checkouts that are not. */
export const REFUGE = '/var/lib/tessera';

/** In a refuge, names the place that links to it. */
const ORIGIN = 'origin';

/** Makes the folder for the data that belongs at `directory`, and returns its real path. */
export async function prepareHome(
  directory: string,
  user: SystemUser | undefined,
): Promise<string> {
  const found = await lstat(directory).catch(() => undefined);
  if (found?.isSymbolicLink()) {
    const home = resolve(dirname(directory), await readlink(directory));
    await makeFolders(home, user);
    return realpath(home);
  }
  await makeFolders(directory, user);
  if (await canReach(user, directory)) return realpath(directory);
  const isEmpty = (await readdir(directory)).length === 0;
  if (isEmpty) await chmod(directory, folderMode(user));
  if (await canReach(user, directory)) return realpath(directory);
  if (isEmpty) return moveToRefuge(directory, user);
  throw new DatabaseError(
    'EMBEDDED_POSTGRES_FAILED',
    `${directory} is not empty, and the user ${user?.name} who runs PostgreSQL cannot enter it: open the folders above it, or move it and leave a symbolic link.`,
  );
}

/** A short name that tells one path from another. */
export function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}

/** The link, not the name, tells where the data is: who removes the checkout begins anew. */
async function moveToRefuge(directory: string, user: SystemUser | undefined): Promise<string> {
  const home = join(REFUGE, `${hashOf(directory)}-${randomBytes(4).toString('hex')}`);
  await makeFolders(home, user);
  if (!(await canReach(user, home))) {
    await rmdir(home);
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_FAILED',
      `The user ${user?.name} who runs PostgreSQL can enter neither ${directory} nor ${REFUGE}.`,
    );
  }
  try {
    await rmdir(directory);
    await symlink(home, directory);
  } catch (error) {
    await rmdir(home);
    // Another process does the same at this moment: use what it made.
    if (/^(?:ENOENT|EEXIST|ENOTDIR|ENOTEMPTY)$/.test(codeOf(error))) {
      return prepareHome(directory, user);
    }
    throw error;
  }
  await writeFile(join(home, ORIGIN), `${directory}\n`);
  log.info(
    { directory, home, user: user?.name, leftBehind: await leftBehind() },
    'the user who runs PostgreSQL cannot enter this folder: keeping the data elsewhere, with a link',
  );
  return home;
}

/** Refuges whose link is gone. Their data is nobody's to remove but the operator's. */
async function leftBehind(): Promise<readonly string[]> {
  const homes = (await readdir(REFUGE)).map((name) => join(REFUGE, name));
  const isLeft = await Promise.all(
    homes.map(async (home) => {
      const origin = await readFile(join(home, ORIGIN), 'utf8').catch(() => undefined);
      if (origin === undefined) return false;
      return (await readlink(origin.trimEnd()).catch(() => '')) !== home;
    }),
  );
  return homes.filter((_home, index) => isLeft[index]);
}

async function makeFolders(path: string, user: SystemUser | undefined): Promise<void> {
  const mode = folderMode(user);
  const first = await makeDirectories(path, mode);
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await chmod(made, mode);
}

/** Root's folders let the server's user pass; everybody else's are private. */
function folderMode(user: SystemUser | undefined): number {
  return user === undefined ? 0o700 : 0o711;
}
