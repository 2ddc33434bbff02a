// The directory of clones. It is private to the user of the server: a user who can write in a clone can have git run programs
// as this user, since the clone's configuration names some.
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sha256 } from '@tessera/crypto';
import { makeDirectories } from '@tessera/runtime';
import { GitError } from './git-error.js';

const NAME_LENGTH = 16;
const WRITABLE_BY_OTHERS = 0o022;

/** The directory of the clone of a URI. @param clones holds one clone for each URI */
export function cloneDirectoryOf(clones: string, uri: string): string {
  return join(resolve(clones), sha256(uri).slice(0, NAME_LENGTH));
}

/**
 * Makes the directory around the clone, or checks that it is private. Windows has no such owners and modes, so nothing is
 * checked there.
 *
 * @throws GitError GIT_UNUSABLE where it cannot be made, or another user owns it or may write in it
 */
export async function requirePrivateDirectory(clone: string): Promise<void> {
  const clones = dirname(clone);
  const user = process.geteuid?.();
  try {
    await makeDirectories(clones, 0o700);
    const { uid, mode } = await stat(clones);
    if (user === undefined) return;
    if (uid !== user) throw new Error(`it belongs to another user, of id ${uid}`);
    if ((mode & WRITABLE_BY_OTHERS) === 0) return;
    throw new Error(`other users may write in it, its mode is ${(mode & 0o7777).toString(8)}`);
  } catch (error) {
    const advice = 'set config-server.git.clone-directory to a directory that the server makes';
    const reason = (error as Error).message;
    throw new GitError('GIT_UNUSABLE', `cannot keep clones in ${clones}: ${reason}; ${advice}`);
  }
}
