// What the server's own `postmaster.pid` says, and whether the process it names is that server: after
// a crash or a reboot the number may belong to anybody.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './command.js';
import type { Place } from './place.js';

export function recordPath(place: Place): string {
  return join(place.data, 'postmaster.pid');
}

/** The process id on record, alive or not. */
export async function recordedPid(place: Place): Promise<number | undefined> {
  const record = await readFile(recordPath(place), 'utf8').catch(() => '');
  const pid = Number.parseInt(record, 10);
  return pid > 0 ? pid : undefined;
}

/** The id of the server that runs on this data directory, if one does. */
export async function runningPostmaster(place: Place): Promise<number | undefined> {
  const pid = await recordedPid(place);
  return pid !== undefined && (await isPostmaster(pid, place)) ? pid : undefined;
}

/** True while the process exists and is the server of this data directory. */
export async function isPostmaster(pid: number, place: Place): Promise<boolean> {
  const command = await commandOf(pid);
  return command.includes('postgres') && command.includes(` -D ${place.data} `);
}

/** The command line of a process, with single spaces; empty for one that has ended. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const parameters = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return parameters.replaceAll('\0', ' ');
  }
  return (await run('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout;
}
