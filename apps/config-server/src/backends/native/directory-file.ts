// Owns the reading of one found file: what was found, whole, or nothing.
import { constants, type BigIntStats } from 'node:fs';
import { open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { BackendError } from '../backend-error.js';
import type { TreeFile } from '../file-tree.js';
import { isNotFound } from './is-not-found.js';

/** No link is followed, and a named pipe that came in between keeps nobody waiting. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
/** Milliseconds in which a second change may leave no trace, on the coarsest clocks of file systems. */
const COARSEST_CLOCK = 2_000;

export class DirectoryFile implements TreeFile {
  readonly revision: string | undefined;
  readonly size: number;
  readonly modified: Date;
  private readonly state: string;

  /** @param path without links @param now milliseconds since the epoch */
  constructor(
    private readonly path: string,
    stats: BigIntStats,
    now: number,
  ) {
    this.state = stateOf(stats);
    this.revision = now - Number(stats.ctimeMs) > COARSEST_CLOCK ? this.state : undefined;
    this.size = Number(stats.size);
    this.modified = stats.mtime;
  }

  async read(): Promise<Buffer | undefined> {
    try {
      const handle = await open(this.path, FLAGS);
      try {
        return await this.readFrom(handle);
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw BackendError.unavailable('native', error);
    }
  }

  private async readFrom(handle: FileHandle): Promise<Buffer | undefined> {
    if (!(await this.isFound(handle)) || (await placeOf(handle, this.path)) !== this.path) {
      return undefined;
    }
    const content = Buffer.alloc(this.size);
    const { bytesRead } = await handle.read(content, 0, this.size, 0);
    return bytesRead === this.size && (await this.isFound(handle)) ? content : undefined;
  }

  private async isFound(handle: FileHandle): Promise<boolean> {
    return stateOf(await handle.stat({ bigint: true })) === this.state;
  }
}

/** Differs whenever the file or its content may. */
function stateOf({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(' ');
}

/** Where an open file stands: Linux says so itself; elsewhere whoever swaps directories at the right moments may mislead us. */
function placeOf(handle: FileHandle, path: string): Promise<string> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${handle.fd}`) : realpath(path);
}
