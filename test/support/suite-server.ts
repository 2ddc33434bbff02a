// The one PostgreSQL of a test run: a directory of its own, gone with the run.
import { mkdir, readdir, readFile, realpath, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@tessera/database';
import { query } from './query.js';

const PREFIX = 'tessera-test-';
const MEMORY_FOLDER = '/dev/shm';
/** In bytes; the databases of a run take some 150 MB. */
const MIN_FREE_BYTES = 1024 ** 3;

/** Where jest's workers, which are processes of their own, find the server's URL. */
export const SUITE_URL_VARIABLE = 'TESSERA_TEST_DATABASE_URL';

/** Members of this role, which specs make at need, must give their passwords; everybody else is let in. */
export const PASSWORD_ROLE = 'with_password';

/** Starts the server and returns what stops it. */
export async function startSuiteServer(): Promise<() => Promise<void>> {
  const parent = (await hasRoom(MEMORY_FOLDER)) ? MEMORY_FOLDER : await realpath(tmpdir());
  await removeKilledRuns(parent);
  const directory = join(parent, `${PREFIX}${process.pid}`);
  await mkdir(directory, { recursive: true });
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

/** A database is made there in a twentieth of the time. Containers have little room there, and not all systems have it. */
async function hasRoom(directory: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MIN_FREE_BYTES;
}

/** A run that was killed leaves its server running. */
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
