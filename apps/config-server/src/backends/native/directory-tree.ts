// Owns the finding of files below a directory, and that nothing outside is ever read, whoever moves things meanwhile. What
// the files mean is not known here.
import type { BigIntStats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { BackendError } from '../backend-error.js';
import type { FileTree, TreeFile } from '../file-tree.js';
import { isNotFound } from './is-not-found.js';
import { DirectoryFile } from './directory-file.js';

const BACKEND = 'native';
/** Where Kubernetes keeps the content of a volume, to which the visible names are links. */
const KUBERNETES_VERSION = /^\.\.\d{4}(?:_\d\d){5}\.\d+$/;

export class DirectoryTree implements FileTree {
  private constructor(
    private readonly root: string,
    private readonly identity: string,
    private readonly now: () => number,
  ) {}

  /**
   * The directory as it is by now: where its name comes to lead elsewhere, the tree stays with the one it led to.
   *
   * @param now milliseconds since the epoch, by the clock that files are stamped with
   * @throws BackendError BACKEND_UNAVAILABLE
   */
  static async open(location: string, now: () => number = Date.now): Promise<DirectoryTree> {
    const root = await orUnavailable(realpath(location));
    return new DirectoryTree(root, await orUnavailable(identityOf(root)), now);
  }

  /**
   * That the directory is still there: else files that were not found may have gone with it.
   *
   * @throws BackendError BACKEND_UNAVAILABLE
   */
  async confirm(): Promise<void> {
    if ((await orUnavailable(identityOf(this.root))) === this.identity) return;
    throw BackendError.unavailable(BACKEND, new Error('another directory took its place'));
  }

  async find(path: string): Promise<TreeFile | undefined> {
    if (!path.split('/').every(isVisible)) return undefined;
    const found = await orUnavailable(this.look(path));
    return found && new DirectoryFile(found.path, found.stats, this.now());
  }

  private async look(path: string): Promise<{ path: string; stats: BigIntStats } | undefined> {
    try {
      const real = await realpath(join(this.root, path));
      if (!this.holds(real)) return undefined;
      const stats = await lstat(real, { bigint: true });
      return stats.isFile() ? { path: real, stats } : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** @param real without links */
  private holds(real: string): boolean {
    const root = this.root.endsWith('/') ? this.root : `${this.root}/`;
    if (!real.startsWith(root)) return false;
    const names = real.slice(root.length).split('/');
    return names.every((name) => isVisible(name) || KUBERNETES_VERSION.test(name));
  }
}

/** Of a directory, whatever it is called. */
async function identityOf(path: string): Promise<string> {
  const stats = await lstat(path, { bigint: true });
  if (!stats.isDirectory()) throw new Error('no directory');
  return `${stats.dev} ${stats.ino}`;
}

function isVisible(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !name.includes('\0');
}

async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw BackendError.unavailable(BACKEND, error);
  }
}
