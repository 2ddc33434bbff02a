// Where an embedded server lives and who runs it: its folders, its socket, its URL. What happens in
// these folders is not decided here.
import { chown, lstat, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { codeOf, DatabaseError } from '../errors.js';
import { type Binaries, locateBinaries } from './binaries.js';
import { hashOf, prepareHome, REFUGE } from './home.js';
import { serverUser, type SystemUser } from './system-user.js';

/** A Unix socket's whole path has room for 104 bytes on macOS and 108 on Linux. */
const SOCKET_PATH_LIMIT = 100;
export const SOCKET_NAME = '.s.PGSQL.5432';

export interface Place {
  readonly home: string;
  readonly data: string;
  readonly socketDirectory: string;
  readonly log: string;
  readonly binaries: Binaries;
  /** Runs the server; undefined: the user we are. */
  readonly user: SystemUser | undefined;
  /** False: fast, and safe from a crash of the server but not from one of the machine. */
  readonly isDurable: boolean;
}

/** Makes the folders of the server whose data belongs at `directory`. */
export async function preparePlace(directory: string, isDurable: boolean): Promise<Place> {
  const user = await serverUser(join(directory, 'data'));
  const home = await prepareHome(resolve(directory), user);
  const binaries = await locateBinaries(user, REFUGE);
  const socketDirectory = socketDirectoryOf(home);
  await makePrivate(socketDirectory, user);
  return {
    home,
    data: join(home, 'data'),
    socketDirectory,
    log: join(home, 'server.log'),
    binaries,
    user,
    isDurable,
  };
}

/** The URL by which this and other processes of the same user reach the server's database. */
export function urlOf(place: Place, database: string): string {
  const host = place.socketDirectory.split('/').map(encodeURIComponent).join('/');
  // Port and sslmode are spelt out, or the driver would take PGPORT and PGSSLMODE for them.
  return `postgresql://postgres@localhost:5432/${database}?host=${host}&sslmode=disable`;
}

/** Makes a folder that its owner alone may enter, or confirms that an existing one is such. */
export async function makePrivate(path: string, user: SystemUser | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch(ignoreExisting);
  const found = await lstat(path);
  const owner = user?.uid ?? process.getuid?.();
  // Root has made it, now or in an attempt that ended before the next step.
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
  if (Buffer.byteLength(join(near, SOCKET_NAME)) <= SOCKET_PATH_LIMIT) return near;
  // Not os.tmpdir(): it follows the environment, and every process must find the same folder.
  return `/tmp/tessera-${hashOf(home)}`;
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}
