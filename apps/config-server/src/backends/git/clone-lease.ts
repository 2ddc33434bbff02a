// Owns where clones are kept, by which mark each is known to be in use, and the removal of those that nobody uses any
// more. What is in a clone is not known here.
import { constants } from 'node:fs';
import { lstat, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { sha256 } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import { isOurs, requireTrusted } from './clone-permissions.js';

const log = loggerFor('git');

const HOUR = 60 * 60 * 1_000;
const MARKED_EVERY = HOUR;
const UNUSED_AFTER = 30 * 24 * HOUR;

const NAME_LENGTH = 16;
/** Clones, and what {@link makeBeside} makes where it was left behind. */
const NAME = /^[0-9a-f]{16}(?:-[A-Za-z0-9]{6})?$/;
const MARK = 'tessera-clone';
/** A link in its place is not followed. Windows knows no such flag. */
const REWRITE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
const MARK_TEXT = `A clone that a config server of Tessera keeps. While one uses it, this file is renewed every hour;
once it is 30 days old, the next config server that starts with this directory may remove the clone.
`;

/** @param clones holds one for each address */
export function cloneDirectoryOf(clones: string, uri: string): string {
  return join(resolve(clones), sha256(uri).slice(0, NAME_LENGTH));
}

/** A new directory of ours alone, which is to become the clone or to take it away. */
export function makeBeside(clone: string): Promise<string> {
  return mkdtemp(`${clone}-`);
}

/** Lets the clone vanish whole: another process may use it, or do the same, in this moment. */
export async function removeClone(clone: string): Promise<void> {
  const name = basename(clone).slice(0, NAME_LENGTH);
  const removed = await makeBeside(join(dirname(clone), name));
  try {
    await rename(clone, removed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    await rm(removed, { recursive: true, force: true });
  }
}

/** Tells all who may use the directory of clones that this one is in use now. */
export async function markClone(clone: string): Promise<void> {
  await writeFile(join(clone, MARK), MARK_TEXT, { flag: REWRITE });
}

/** Several processes, on several machines too, may use a clone: what they have in common is the time of its mark. */
export class CloneLease {
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(private readonly clone: string) {}

  /** Marks the clone from now on. */
  async begin(): Promise<void> {
    await this.mark();
    this.timer = setInterval(() => void this.mark(), MARKED_EVERY).unref();
  }

  end(): void {
    this.isOver = true;
    clearInterval(this.timer);
  }

  /**
   * Removes clones beside this one that nobody uses, and tells the log; does not fail. One that another server comes back
   * to in this very moment is made anew by that server's next fetch.
   */
  async removeUnused(): Promise<void> {
    const left: string[] = [];
    let error: unknown;
    for (const directory of await unusedBeside(this.clone)) {
      if (this.isOver) return;
      try {
        await removeClone(directory);
        log.info({ directory }, 'removed a clone that nobody uses');
      } catch (fault) {
        left.push(directory);
        error ??= fault;
      }
    }
    if (left.length === 0) return;
    log.warn({ directories: left, error }, 'clones that nobody uses cannot be removed');
  }

  /** A clone that is gone is marked again when it is made anew. */
  private async mark(): Promise<void> {
    try {
      requireTrusted(this.clone);
      await markClone(this.clone);
    } catch (error) {
      log.debug({ directory: this.clone, error }, 'a clone could not be marked');
    }
  }
}

/** What cannot be looked at is not known to be ours. */
async function unusedBeside(clone: string): Promise<readonly string[]> {
  const clones = dirname(clone);
  const unused: string[] = [];
  for (const name of await readdir(clones).catch(() => [])) {
    const path = join(clones, name);
    if (NAME.test(name) && path !== clone && (await isUnused(path))) unused.push(path);
  }
  return unused;
}

/** Of symbolic links only the link is looked at. Those of other users are theirs to remove. */
async function isUnused(path: string): Promise<boolean> {
  const found = await Promise.all([lstat(path), lstat(join(path, MARK))]).catch(() => undefined);
  if (found === undefined) return false;
  const [directory, mark] = found;
  return isOurs(directory) && mark.isFile() && mark.mtimeMs < Date.now() - UNUSED_AFTER;
}
