// Checks that no other user can write to the clone. Such a user could have git run programs as this user: the clone's
// configuration names some, hooks and alternates lead to others.
import { lstatSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { GitError } from './git-error.js';

const ROOT = 0;
const WRITABLE_BY_OTHERS = 0o022;
/** In a sticky directory only the owners of a file and of the directory can remove it. @see chmod(2) */
const STICKY = 0o1000;

const OTHER_DIRECTORY =
  'set config-server.git.clone-directory to a directory that the server makes';

/**
 * Checks the clone and the directory around it, where they exist. Files inside the clone need no check: other users
 * cannot create any there. On Windows, which has no such owners and modes, nothing is checked.
 * @throws GitError GIT_UNUSABLE where a user other than this one or root could write in the clone or replace it
 */
export function requireTrusted(clone: string): void {
  const parent = dirname(clone);
  const parentStats = statsOf(parent, statSync);
  const parentViolation = parentStats && parentViolationOf(parentStats);
  if (parentViolation !== undefined) {
    throw untrusted(
      `the directory of clones ${parent} ${parentViolation}`,
      'let nobody but the user of the server own it or write in it',
    );
  }
  const cloneStats = statsOf(clone, lstatSync);
  const cloneViolation = cloneStats && cloneViolationOf(cloneStats);
  if (cloneViolation !== undefined) {
    throw untrusted(`the clone ${clone} ${cloneViolation}`, 'remove it');
  }
}

/** Whether only this user and root can write in a clone. @param stats of the path itself: links are not followed */
export function isTrusted(stats: Stats): boolean {
  return cloneViolationOf(stats) === undefined;
}

function cloneViolationOf(stats: Stats): string | undefined {
  return ownerViolation(stats, [effectiveUser()]) ?? modeViolation(stats);
}

function parentViolationOf(stats: Stats): string | undefined {
  const isSticky = (stats.mode & STICKY) !== 0;
  const violation = ownerViolation(stats, [effectiveUser(), ROOT]);
  return violation ?? (isSticky ? undefined : modeViolation(stats));
}

function ownerViolation(stats: Stats, owners: readonly (number | undefined)[]): string | undefined {
  if (!stats.isDirectory()) return 'is not a directory';
  if (effectiveUser() === undefined || owners.includes(stats.uid)) return undefined;
  return `belongs to another user, of id ${stats.uid}`;
}

function modeViolation({ mode }: Stats): string | undefined {
  if (effectiveUser() === undefined || (mode & WRITABLE_BY_OTHERS) === 0) return undefined;
  return `may be written by other users, its mode is ${(mode & 0o7777).toString(8).padStart(4, '0')}`;
}

/** Undefined on Windows. */
function effectiveUser(): number | undefined {
  return process.geteuid?.();
}

function statsOf(path: string, stat: typeof lstatSync): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch (error) {
    const reason = (error as Error).message;
    throw new GitError('GIT_UNUSABLE', `cannot check the permissions of ${path}: ${reason}`);
  }
}

function untrusted(violation: string, remedy: string): GitError {
  return new GitError('GIT_UNUSABLE', `${violation}: ${remedy}, or ${OTHER_DIRECTORY}`);
}
