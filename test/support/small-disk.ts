// A small tmpfs that a test can fill. Mounting it needs root, and fails in some containers.
import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder, removeFolder } from './folders.js';

const run = promisify(execFile);
/** PostgreSQL with our tables takes about 60 MB. */
const SIZE = '128m';
const DISK_FULL = 'ENOSPC';

/** Takes all the space of a disk by one file. */
export class FullDisk {
  /** @param filler path of a file that does not exist */
  constructor(private readonly filler: string) {}

  /** Fills the disk to the last block. */
  async fill(): Promise<void> {
    const file = await open(this.filler, 'w');
    try {
      for (const size of [1024 ** 2, 4096]) await writeUntilFull(file, Buffer.alloc(size));
    } finally {
      await file.close();
    }
  }

  /** Frees the space that {@link fill} has taken. */
  async free(): Promise<void> {
    await rm(this.filler, { force: true });
  }
}

export class SmallDisk extends FullDisk {
  private constructor(readonly folder: string) {
    super(join(folder, 'filler'));
  }

  static async mount(): Promise<SmallDisk> {
    const folder = await makeFolder();
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', folder]);
      return new SmallDisk(folder);
    } catch (error) {
      await removeFolder(folder);
      throw error;
    }
  }

  /** Whether this process may mount one. */
  static async isPossible(): Promise<boolean> {
    try {
      await (await SmallDisk.mount()).unmount();
      return true;
    } catch {
      return false;
    }
  }

  async unmount(): Promise<void> {
    await run('umount', [this.folder]);
    await removeFolder(this.folder);
  }
}

async function writeUntilFull(
  file: { appendFile(data: Buffer): Promise<void> },
  block: Buffer,
): Promise<void> {
  try {
    for (;;) await file.appendFile(block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== DISK_FULL) throw error;
  }
}
