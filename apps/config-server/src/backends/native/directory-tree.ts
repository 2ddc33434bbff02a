// Finds and reads files below a directory. Nothing outside the directory is ever read, even while others move files.
import { constants, type BigIntStats, type Dirent } from 'node:fs';
import { lstat, open, readdir, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { BackendError } from '../backend-error.js';
import type { DirectoryListing, FileTree, TreeFile } from '../environment-backend.js';

const BACKEND = 'native';
/** The directory of a Kubernetes volume's content; the visible names are links into it. */
const KUBERNETES_VERSION = /^\.\.\d{4}(?:_\d\d){5}\.\d+$/;
/** With any other code (no permission, too many open files, a broken disk) the file may exist. */
const NOT_FOUND = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
/** Follows no link; does not block on a named pipe that replaced the file. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
/** Within this time two changes may have the same timestamp, on the coarsest file systems. */
const TIMESTAMP_GRANULARITY_MS = 2_000;

export class DirectoryTree implements FileTree {
  private constructor(
    private readonly root: string,
    private readonly identity: string,
    private readonly now: () => number,
  ) {}

  /**
   * Resolves the location once: if its links change later, the tree stays with the first directory.
   *
   * @param now milliseconds since the epoch, by the clock of the file system
   * @throws BackendError BACKEND_UNAVAILABLE
   */
  static async open(location: string, now: () => number = Date.now): Promise<DirectoryTree> {
    const root = await orUnavailable(realpath(location));
    return new DirectoryTree(root, await orUnavailable(identityOf(root)), now);
  }

  /**
   * Checks that the directory still exists. If it does not, missing files prove nothing.
   *
   * @throws BackendError BACKEND_UNAVAILABLE
   */
  async confirm(): Promise<void> {
    if ((await orUnavailable(identityOf(this.root))) === this.identity) return;
    throw BackendError.unavailable(BACKEND, new Error('the directory was replaced'));
  }

  async find(path: string): Promise<TreeFile | undefined> {
    if (!path.split('/').every(isVisible)) return undefined;
    const found = await orUnavailable(this.resolve(path));
    return found && new DirectoryFile(found.path, found.stats, this.now());
  }

  async list(directory: string): Promise<DirectoryListing> {
    const listing = { files: new Set<string>(), directories: new Set<string>() };
    if (!directory.split('/').slice(0, -1).every(isVisible)) return listing;
    try {
      const real = await realpath(join(this.root, directory));
      if (real !== this.root && !this.contains(real)) return listing;
      for (const entry of await readdir(real, { withFileTypes: true })) {
        const type = isVisible(entry.name) ? await this.typeOf(entry, real) : undefined;
        if (type === 'file') listing.files.add(entry.name);
        else if (type === 'directory') listing.directories.add(entry.name);
      }
    } catch (error) {
      if (!isNotFound(error)) throw BackendError.unavailable(BACKEND, error);
    }
    return listing;
  }

  /** @param directory without links */
  private async typeOf(
    entry: Dirent,
    directory: string,
  ): Promise<'file' | 'directory' | undefined> {
    if (entry.isFile()) return 'file';
    if (entry.isDirectory()) return 'directory';
    if (!entry.isSymbolicLink()) return undefined;
    try {
      const target = await realpath(join(directory, entry.name));
      // A link to a directory above would be followed without end.
      if (!this.contains(target) || `${directory}/`.startsWith(`${target}/`)) return undefined;
      const stats = await lstat(target);
      if (stats.isFile()) return 'file';
      return stats.isDirectory() ? 'directory' : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  private async resolve(path: string): Promise<{ path: string; stats: BigIntStats } | undefined> {
    try {
      const real = await realpath(join(this.root, path));
      if (!this.contains(real)) return undefined;
      const stats = await lstat(real, { bigint: true });
      return stats.isFile() ? { path: real, stats } : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** @param realPath without links */
  private contains(realPath: string): boolean {
    const root = this.root.endsWith('/') ? this.root : `${this.root}/`;
    if (!realPath.startsWith(root)) return false;
    const names = realPath.slice(root.length).split('/');
    return names.every((name) => isVisible(name) || KUBERNETES_VERSION.test(name));
  }
}

class DirectoryFile implements TreeFile {
  readonly revision: string | undefined;
  readonly size: number;
  readonly modified: Date;
  private readonly fingerprint: string;

  /** @param path without links @param now milliseconds since the epoch */
  constructor(
    private readonly path: string,
    stats: BigIntStats,
    now: number,
  ) {
    this.fingerprint = fingerprintOf(stats);
    const isSettled = now - Number(stats.ctimeMs) > TIMESTAMP_GRANULARITY_MS;
    this.revision = isSettled ? this.fingerprint : undefined;
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
      throw BackendError.unavailable(BACKEND, error);
    }
  }

  private async readFrom(handle: FileHandle): Promise<Buffer | undefined> {
    if (!(await this.isUnchanged(handle)) || (await pathOf(handle, this.path)) !== this.path) {
      return undefined;
    }
    const content = Buffer.alloc(this.size);
    const { bytesRead } = await handle.read(content, 0, this.size, 0);
    return bytesRead === this.size && (await this.isUnchanged(handle)) ? content : undefined;
  }

  private async isUnchanged(handle: FileHandle): Promise<boolean> {
    return fingerprintOf(await handle.stat({ bigint: true })) === this.fingerprint;
  }
}

/** Differs whenever the file or its content may differ. */
function fingerprintOf({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(' ');
}

/** The path of an open file. Only Linux reports it; elsewhere a well-timed swap of directories can go unnoticed. */
function pathOf(handle: FileHandle, path: string): Promise<string> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${handle.fd}`) : realpath(path);
}

/** Identifies a directory, even if it is renamed. */
async function identityOf(path: string): Promise<string> {
  const stats = await lstat(path, { bigint: true });
  if (!stats.isDirectory()) throw new Error('not a directory');
  return `${stats.dev} ${stats.ino}`;
}

function isVisible(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !name.includes('\0');
}

function isNotFound(error: unknown): boolean {
  return NOT_FOUND.has((error as NodeJS.ErrnoException).code ?? '');
}

async function orUnavailable<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw BackendError.unavailable(BACKEND, error);
  }
}
