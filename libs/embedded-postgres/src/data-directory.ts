// The data directory: its initialisation, its `postmaster.pid`, and the recovery from a killed server.
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, DatabaseError } from '@tessera/runtime';
import type { Instance } from './instance.js';
import { run } from './programs.js';

const INITDB = ['--username=postgres', '--encoding=UTF8', '--locale=C', '--no-instructions'];
/** No system assigns this process id. */
const UNUSED_PID = 2_147_483_646;

/**
 * Initialises the data directory, whole or not at all, unless it exists. The caller holds the owner lock.
 *
 * @throws {DatabaseError} with initdb's own error text, or with both versions for the data of another major version
 */
export async function prepareDataDirectory(instance: Instance): Promise<void> {
  const { data, programs } = instance;
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(ignoreMissing);
  if (version === undefined) return initialise(instance);
  if (version.trim() === programs.major) return;
  throw new DatabaseError(
    'EMBEDDED_POSTGRES_FAILED',
    `${data} was made by PostgreSQL ${version.trim()}, and this is PostgreSQL ${programs.major}: move the data with pg_dump, or remove the folder to start over.`,
  );
}

async function initialise({ data, user, isDurable, programs }: Instance): Promise<void> {
  const unfinished = `${data}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  if (user !== undefined) await chown(unfinished, user.uid, user.gid);
  const parameters = [...INITDB, `--pgdata=${unfinished}`];
  if (!isDurable) parameters.push('--no-sync');
  const result = await run(programs.initdb, parameters, user);
  if (!result.succeeded) {
    await rm(unfinished, { recursive: true, force: true });
    throw new DatabaseError(
      'EMBEDDED_POSTGRES_FAILED',
      `Could not initialise ${data}: ${result.errorText}`,
    );
  }
  await rename(unfinished, data);
}

/** The process id of the server that runs on this data directory; undefined where none runs. */
export async function runningPostmaster(instance: Instance): Promise<number | undefined> {
  const pid = await recordedPid(instance);
  return pid !== undefined && (await isPostmaster(pid, instance)) ? pid : undefined;
}

/**
 * True while the process exists and is the server of this data directory. After a crash or a reboot, the recorded
 * process id may belong to any program.
 */
export async function isPostmaster(pid: number, { data }: Instance): Promise<boolean> {
  const command = await commandOf(pid);
  return command.includes('postgres') && command.includes(` -D ${data} `);
}

/** The command line of a process, with single spaces; empty for a process that has ended. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const parameters = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return parameters.replaceAll('\0', ' ');
  }
  return (await run('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout;
}

function pidFile({ data }: Instance): string {
  return join(data, 'postmaster.pid');
}

/** The recorded process id, whether that process is alive or not. */
async function recordedPid(instance: Instance): Promise<number | undefined> {
  const record = await readFile(pidFile(instance), 'utf8').catch(() => '');
  const pid = Number.parseInt(record, 10);
  return pid > 0 ? pid : undefined;
}

/**
 * Clears what a killed server left, so that the next one starts. The caller holds the owner lock and has made sure that
 * no server runs on the data.
 */
export async function clearLeftovers(instance: Instance): Promise<void> {
  await removeSockets(instance);
  await resetPidFile(instance);
}

async function removeSockets({ socketDirectory }: Instance): Promise<void> {
  for (const name of await readdir(socketDirectory)) {
    if (name.startsWith('.s.PGSQL.')) await rm(join(socketDirectory, name), { force: true });
  }
}

/**
 * PostgreSQL does not start while a process with the recorded id lives, even another program. The rest of the file
 * stays: by it, PostgreSQL checks that the old shared memory is out of use.
 */
async function resetPidFile(instance: Instance): Promise<void> {
  if ((await recordedPid(instance)) === undefined) {
    // No file, or the empty file of an interrupted start.
    await rm(pidFile(instance), { force: true });
    return;
  }
  const lines = (await readFile(pidFile(instance), 'utf8')).split('\n');
  // Written elsewhere and moved, because root must not follow a link in a folder of another user.
  const replacement = join(instance.home, 'postmaster.pid.new');
  await writeFile(replacement, [UNUSED_PID, ...lines.slice(1)].join('\n'), { mode: 0o644 });
  await rename(replacement, pidFile(instance));
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}
