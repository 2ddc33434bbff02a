// The PostgreSQL of a test run, in a temporary directory.
import { mkdir, readdir, readFile, realpath, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@tessera/embedded-postgres';
import { query } from './query.js';

const PREFIX = 'tessera-test-';
const MEMORY_FOLDER = '/dev/shm';
/** The databases of a run take about 150 MB. */
const MIN_FREE_BYTES = 1024 ** 3;

/** Passes the URL of the server to the workers of jest, which are other processes. */
export const SUITE_URL_VARIABLE = 'TESSERA_TEST_DATABASE_URL';

/** Members of this role, which specs create, log in with a password; other roles need none. */
export const PASSWORD_ROLE = 'with_password';

/** Starts the server. @returns a function that stops it */
export async function startSuiteServer(): Promise<() => Promise<void>> {
  const parent = (await hasRoom(MEMORY_FOLDER)) ? MEMORY_FOLDER : await realpath(tmpdir());
  await removeKilledRuns(parent);
  const directory = join(parent, `${PREFIX}${process.pid}`);
  await mkdir(directory, { recursive: true });
  // The programs that specs start, some two hundred, compile their modules once.
  process.env['NODE_COMPILE_CACHE'] = join(directory, 'compile-cache');
  const server = await openEmbeddedPostgres({ directory, durable: false });
  await requirePasswords(server.url, directory);
  process.env[SUITE_URL_VARIABLE] = server.url;
  return async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
}

async function requirePasswords(url: string, directory: string): Promise<void> {
  const path = join(directory, 'pg_hba.conf');
  const rules = await readFile(path, 'utf8');
  await writeFile(path, `local all +${PASSWORD_ROLE} scram-sha-256\n${rules}`);
  await query(url, 'select pg_reload_conf()');
}

/** Creating a database in memory is 20 times faster. Some systems lack the folder; in containers it is small. */
async function hasRoom(directory: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MIN_FREE_BYTES;
}

/** Stops and removes the servers of runs that were killed. */
async function removeKilledRuns(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : NaN;
    if (!Number.isInteger(pid) || isAlive(pid)) continue;
    const directory = join(parent, name);
    await openEmbeddedPostgres({ directory }).then(
      (server) => server.stop(),
      () => {},
    );
    await rm(directory, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
