// Clears what a killed server left, so that the next one starts. The caller holds the owner's lock
// and has made sure that no server runs on the data.
import { readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from './place.js';
import { recordedPid, recordPath } from './postmaster-record.js';

/** No system hands out this process id. */
const NOBODYS_PID = 2_147_483_646;

export async function clearLeftovers(place: Place): Promise<void> {
  await endOrphans(place);
  await removeSockets(place);
  await disownRecord(place);
}

/**
 * A server process in the middle of a long computation does not notice that its server has died, and
 * keeps the shared memory in use. Linux tells which they are: they work in the data directory.
 * Elsewhere the start fails, with PostgreSQL's own words, until they have ended by themselves.
 */
async function endOrphans(place: Place): Promise<void> {
  const processes = await readdir('/proc').catch(() => []);
  for (const pid of processes.map(Number).filter((name) => name > 0)) {
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (folder === place.data && pid !== process.pid) signalOrphan(pid);
  }
}

function signalOrphan(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // It ended in this moment.
  }
}

async function removeSockets(place: Place): Promise<void> {
  for (const name of await readdir(place.socketDirectory)) {
    if (name.startsWith('.s.PGSQL.')) await rm(join(place.socketDirectory, name), { force: true });
  }
}

/**
 * PostgreSQL does not start while the recorded process id lives, whoever has it now. The rest of the
 * record stays: by it PostgreSQL makes sure that the old shared memory is out of use.
 */
async function disownRecord(place: Place): Promise<void> {
  if ((await recordedPid(place)) === undefined) {
    // Nothing, or the empty file of a start that was cut short.
    await rm(recordPath(place), { force: true });
    return;
  }
  const lines = (await readFile(recordPath(place), 'utf8')).split('\n');
  // Written elsewhere and moved, because root follows no link in a folder of another user.
  const replacement = join(place.home, 'postmaster.pid.new');
  await writeFile(replacement, [NOBODYS_PID, ...lines.slice(1)].join('\n'), { mode: 0o644 });
  await rename(replacement, recordPath(place));
}
