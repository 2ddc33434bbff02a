// Which operating-system user runs the server. PostgreSQL refuses to run as root, so root lends it
// the identity of somebody who can do less.
import { lstat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { DatabaseError } from '../errors.js';
import { type Identity, run } from './command.js';

export interface SystemUser extends Identity {
  readonly name: string;
}

/** Who runs the server when we are root and nothing is initialised yet, in order of preference. */
const CANDIDATES = ['postgres', 'nobody'];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Our own name to the operating system. */
export function ownName(): string {
  return userInfo().username;
}

/**
 * The user to run the server as, or undefined for ourselves (not root).
 * Existing data decides: only its owner can open it.
 */
export async function serverUser(data: string): Promise<SystemUser | undefined> {
  if (!isRoot()) return undefined;
  const owner = await lstat(data).then(
    ({ uid }) => uid,
    () => 0,
  );
  const names = owner === 0 ? CANDIDATES : [String(owner)];
  for (const name of names) {
    const user = await lookUp(name);
    if (user !== undefined && user.uid !== 0) return user;
  }
  throw new DatabaseError(
    'EMBEDDED_POSTGRES_FAILED',
    `PostgreSQL does not run as root, and there is no operating-system user ${names.join(' or ')} to run it as.`,
  );
}

/**
 * True when the user can enter the folder, or execute the file, through every folder above it.
 * Undefined is ourselves: what we cannot reach, the next step reports.
 */
export async function canReach(user: SystemUser | undefined, path: string): Promise<boolean> {
  if (user === undefined) return true;
  return (await run('/bin/sh', ['-c', 'test -x "$0"', path], user)).succeeded;
}

async function lookUp(nameOrUid: string): Promise<SystemUser | undefined> {
  const [uid, gid, name] = await Promise.all(
    ['-u', '-g', '-un'].map((field) => run('id', [field, nameOrUid])),
  );
  if (!uid?.succeeded || !gid?.succeeded || !name?.succeeded) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout), name: name.stdout };
}
