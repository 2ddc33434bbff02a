// A disk of its own for a database server: an image with a file system, which can be filled and slowed down. That needs
// root and loop devices; slowing needs the cgroup controller blkio (version 1).
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FullDisk } from '../../support/small-disk.js';
import { until } from '../../support/until.js';

const run = promisify(execFile);
const SIZE = 1024 ** 3;
const BLKIO = '/sys/fs/cgroup/blkio';
/** What a slow disk writes, in bytes a second. */
const SLOW_WRITES = 200_000;

export interface ServerDisk {
  readonly folder: string;
  readonly full: FullDisk | undefined;
  /** Slows the writes of processes. @returns what ends it */
  readonly slow: ((pids: readonly number[]) => Promise<() => Promise<void>>) | undefined;
  unmount(): Promise<void>;
}

/** @param folder an empty folder of the run */
export async function openDisk(folder: string): Promise<ServerDisk> {
  const mounted = join(folder, 'disk');
  await mkdir(mounted, { recursive: true });
  try {
    const image = join(folder, 'image');
    await writeFile(image, '');
    await truncate(image, SIZE);
    await run('mkfs.ext4', ['-q', '-m', '0', image]);
    await run('mount', ['-o', 'loop', image, mounted]);
  } catch {
    return { folder: mounted, full: undefined, slow: undefined, unmount: async () => {} };
  }
  const device = await deviceOf(mounted);
  return {
    folder: mounted,
    full: new FullDisk(join(mounted, 'filler')),
    slow: existsSync(join(BLKIO, 'cgroup.procs')) ? (pids) => slowDown(device, pids) : undefined,
    unmount: async () => {
      await run('umount', [mounted]);
    },
  };
}

async function deviceOf(folder: string): Promise<string> {
  const { stdout } = await run('findmnt', ['-no', 'MAJ:MIN', folder]);
  return stdout.trim();
}

async function slowDown(device: string, pids: readonly number[]): Promise<() => Promise<void>> {
  const group = join(BLKIO, `chaos-${process.pid}`);
  await mkdir(group, { recursive: true });
  await writeFile(join(group, 'blkio.throttle.write_bps_device'), `${device} ${SLOW_WRITES}`);
  for (const pid of pids) await move(pid, group);
  return async () => {
    await writeFile(join(group, 'blkio.throttle.write_bps_device'), `${device} 0`);
    // PostgreSQL starts processes meanwhile, and they are in the group too.
    await until('the group is empty', async () => {
      const left = await readFile(join(group, 'cgroup.procs'), 'utf8');
      for (const pid of left.split('\n').filter(Boolean)) await move(Number(pid), BLKIO);
      return rmdir(group).then(
        () => true,
        () => false,
      );
    });
  };
}

/** A process that has ended meanwhile is none to move. */
async function move(pid: number, group: string): Promise<void> {
  await writeFile(join(group, 'cgroup.procs'), String(pid)).catch(() => {});
}
