// Owns who else may write where a clone is. Whoever may has git run programs as us: the configuration of a clone names
// some, hooks and alternates lead to others.
import { lstatSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { GitError } from './git-error.js';

const ROOT = 0;
const WRITABLE_BY_OTHERS = 0o022;
/** Names in such a directory are removed by their owner and the directory's alone. @see chmod(2) */
const STICKY = 0o1000;

const ANOTHER_PLACE = 'set config-server.git.clone-directory to a directory that the server makes';

/**
 * Looks at the clone and the directory of clones, as far as they are there. What lies in the clone needs no look: who
 * may not write in a directory puts nothing into it. Windows tells of no users and modes.
 * @throws GitError GIT_UNUSABLE where anybody but us and root may write in the one or exchange the other
 */
export function requireTrusted(clone: string): void {
  const clones = dirname(clone);
  const around = look(clones, statSync);
  const fault = around && (misplaced(around, [ourselves(), ROOT]) ?? exchangeable(around));
  if (fault !== undefined) {
    throw untrusted(
      `the directory of clones ${clones} ${fault}`,
      'let nobody but the user of the server own it or write in it',
    );
  }
  const own = look(clone, lstatSync);
  const flaw = own && cloneFlaw(own);
  if (flaw !== undefined) throw untrusted(`the clone ${clone} ${flaw}`, 'remove it');
}

/** Whether nobody but us and root may have put anything there. @param found of the name itself, not of where it leads */
export function isOurs(found: Stats): boolean {
  return cloneFlaw(found) === undefined;
}

function cloneFlaw(found: Stats): string | undefined {
  return misplaced(found, [ourselves()]) ?? writable(found);
}

function misplaced(found: Stats, owners: readonly (number | undefined)[]): string | undefined {
  if (!found.isDirectory()) return 'is no directory';
  if (ourselves() === undefined || owners.includes(found.uid)) return undefined;
  return `belongs to another user, of id ${found.uid}`;
}

function exchangeable(found: Stats): string | undefined {
  return (found.mode & STICKY) === 0 ? writable(found) : undefined;
}

function writable({ mode }: Stats): string | undefined {
  if (ourselves() === undefined || (mode & WRITABLE_BY_OTHERS) === 0) return undefined;
  return `may be written by other users, its mode is ${(mode & 0o7777).toString(8).padStart(4, '0')}`;
}

/** The user whose files git can change: the effective one. */
function ourselves(): number | undefined {
  return process.geteuid?.();
}

function look(path: string, stat: typeof lstatSync): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new GitError('GIT_UNUSABLE', `${path} cannot be looked at: ${(error as Error).message}`);
  }
}

function untrusted(what: string, remedy: string): GitError {
  return new GitError('GIT_UNUSABLE', `${what}: ${remedy}, or ${ANOTHER_PLACE}`);
}
