// The folders, programs, operating-system user and URL of an embedded server.
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readlink,
  realpath,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeDirectories, codeOf, DatabaseError } from '@tessera/runtime';
import {
  canReach,
  locatePrograms,
  type Programs,
  serverUser,
  type SystemUser,
} from './programs.js';

/** A durable folder open to every user, for the data and programs of checkouts that the server's user cannot enter. */
const SHARED_FOLDER = '/var/lib/tessera';
/** In a home below the shared folder, a file with the path of the link to it. */
const ORIGIN = 'origin';
/** The whole path of a Unix socket has room for 104 bytes on macOS and 108 on Linux. */
const MAX_SOCKET_PATH_BYTES = 100;
const SOCKET_NAME = '.s.PGSQL.5432';
export const DATABASE = 'tessera';

export interface Instance {
  readonly home: string;
  readonly data: string;
  readonly socketDirectory: string;
  readonly log: string;
  readonly programs: Programs;
  /** Runs the server; undefined: the user of this process. */
  readonly user: SystemUser | undefined;
  /** False: without fsync, so that a crash of the machine may lose data. */
  readonly isDurable: boolean;
  /** Gets what a person should know. */
  readonly report: (message: string) => void;
}

type Report = Instance['report'];

/** Creates the folders of the server whose data belongs at `directory`. */
export async function prepareInstance({
  directory,
  durable: isDurable = true,
  report = () => {},
}: {
  readonly directory: string;
  readonly durable?: boolean;
  readonly report?: Report;
}): Promise<Instance> {
  const user = await serverUser(join(directory, 'data'));
  const home = await prepareHome(resolve(directory), user, report);
  const programs = await locatePrograms(user, SHARED_FOLDER);
  const socketDirectory = socketDirectoryOf(home);
  await makePrivate(socketDirectory, user);
  return {
    home,
    data: join(home, 'data'),
    socketDirectory,
    log: join(home, 'server.log'),
    programs,
    user,
    isDurable,
    report,
  };
}

/** The URL of a database on the server, for this and other processes of the same user. */
export function urlOf(instance: Instance, database: string): string {
  const host = instance.socketDirectory.split('/').map(encodeURIComponent).join('/');
  // Without port and sslmode, the driver would take PGPORT and PGSSLMODE.
  return `postgresql://postgres@localhost:5432/${database}?host=${host}&sslmode=disable`;
}

/** Creates a folder that its owner alone may enter, or checks that an existing one is such. */
export async function makePrivate(path: string, user: SystemUser | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch(ignoreExisting);
  const found = await lstat(path);
  const owner = user?.uid ?? process.getuid?.();
  // Root created it, now or in an attempt that ended before the chown.
  const isNew = user !== undefined && found.uid === 0;
  if (!found.isDirectory() || (found.uid !== owner && !isNew) || (found.mode & 0o077) !== 0) {
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_FAILED',
      `${path} is not a private folder of user id ${owner}, who runs PostgreSQL: remove it.`,
    );
  }
  if (isNew) await chown(path, user.uid, user.gid);
}

function socketDirectoryOf(home: string): string {
  const near = join(home, 'socket');
  if (Buffer.byteLength(join(near, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES) return near;
  // Not os.tmpdir(): it depends on the environment, and every process must find the same folder.
  return `/tmp/tessera-${hashOf(home)}`;
}

/**
 * Creates the folder for the data that belongs at `directory` and returns its real path. Where the server's user cannot
 * enter `directory`, that becomes a link to a folder below {@link SHARED_FOLDER}.
 */
async function prepareHome(
  directory: string,
  user: SystemUser | undefined,
  report: Report,
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
  if (isEmpty) return moveToSharedFolder(directory, user, report);
  throw new DatabaseError(
    'EMBEDDED_POSTGRES_FAILED',
    `${directory} is not empty, and the user ${user?.name} who runs PostgreSQL cannot enter it: open the folders above it, or move it and leave a symbolic link.`,
  );
}

/** Gives each home a random name: without the link of a removed checkout, a new one starts with new data. */
async function moveToSharedFolder(
  directory: string,
  user: SystemUser | undefined,
  report: Report,
): Promise<string> {
  const home = join(SHARED_FOLDER, `${hashOf(directory)}-${randomBytes(4).toString('hex')}`);
  await makeFolders(home, user);
  if (!(await canReach(user, home))) {
    await rmdir(home);
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_FAILED',
      `The user ${user?.name} who runs PostgreSQL can enter neither ${directory} nor ${SHARED_FOLDER}.`,
    );
  }
  try {
    await rmdir(directory);
    await symlink(home, directory);
  } catch (error) {
    await rmdir(home);
    // Another process does the same at this moment: use its folder.
    if (/^(?:ENOENT|EEXIST|ENOTDIR|ENOTEMPTY)$/.test(codeOf(error))) {
      return prepareHome(directory, user, report);
    }
    throw error;
  }
  await writeFile(join(home, ORIGIN), `${directory}\n`);
  report(
    `the user ${user?.name} who runs PostgreSQL cannot enter ${directory}: its data is in ${home}, with a link to it`,
  );
  return home;
}

async function makeFolders(path: string, user: SystemUser | undefined): Promise<void> {
  const mode = folderMode(user);
  const first = await makeDirectories(path, mode);
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await chmod(made, mode);
}

/** The server's user may pass through root's folders; the folders of other users are private. */
function folderMode(user: SystemUser | undefined): number {
  return user === undefined ? 0o700 : 0o711;
}

/** A short name that differs between paths. */
function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}
