// The directories of clones: a file in each marks it as used, and unused ones are removed.
import { constants } from 'node:fs';
import { lstat, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { sha256 } from '@tessera/crypto';
import { loggerFor } from '@tessera/logging';
import { isTrusted, requireTrusted } from './clone-permissions.js';

const log = loggerFor('git');

const HOUR = 60 * 60 * 1_000;
const MARK_INTERVAL_MS = HOUR;
const UNUSED_AFTER_MS = 30 * 24 * HOUR;

const NAME_LENGTH = 16;
/** Names of clones, and of directories that {@link makeTemporaryDirectory} made. */
const CLONE_NAME = /^[0-9a-f]{16}(?:-[A-Za-z0-9]{6})?$/;
const MARK_FILE = 'tessera-clone';
/** Follows no link. Windows has no such flag. */
const OVERWRITE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
const MARK_TEXT = `A clone that a config server of Tessera keeps. While one uses it, this file is renewed every hour;
once it is 30 days old, the next config server that starts with this directory may remove the clone.
`;

/** The directory of the clone of a URI. @param clones holds one clone for each URI */
export function cloneDirectoryOf(clones: string, uri: string): string {
  return join(resolve(clones), sha256(uri).slice(0, NAME_LENGTH));
}

/** A new private directory next to the clone, which a rename turns into the clone, or the clone into it. */
export function makeTemporaryDirectory(clone: string): Promise<string> {
  return mkdtemp(`${clone}-`);
}

/** Renames the clone before deleting it: another process may be using or removing it. */
export async function removeClone(clone: string): Promise<void> {
  const name = basename(clone).slice(0, NAME_LENGTH);
  const removed = await makeTemporaryDirectory(join(dirname(clone), name));
  try {
    await rename(clone, removed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    await rm(removed, { recursive: true, force: true });
  }
}

/** Renews the file that marks a clone as used. */
export async function writeMark(clone: string): Promise<void> {
  await writeFile(join(clone, MARK_FILE), MARK_TEXT, { flag: OVERWRITE });
}

/**
 * Keeps the mark of a clone fresh while this process uses it. Several processes, also on several machines, may share a
 * clone: the time of its mark is all that they share.
 */
export class CloneLease {
  private timer: NodeJS.Timeout | undefined;
  private hasEnded = false;

  constructor(private readonly clone: string) {}

  /** Renews the mark now and every hour. */
  async begin(): Promise<void> {
    await this.mark();
    this.timer = setInterval(() => void this.mark(), MARK_INTERVAL_MS).unref();
  }

  end(): void {
    this.hasEnded = true;
    clearInterval(this.timer);
  }

  /**
   * Removes and logs the other clones that are unused; does not fail. If another server starts to use one at the same
   * time, its next fetch creates the clone again.
   */
  async removeUnused(): Promise<void> {
    const failed: string[] = [];
    let firstError: unknown;
    for (const directory of await unusedClonesBeside(this.clone)) {
      if (this.hasEnded) return;
      try {
        await removeClone(directory);
        log.info({ directory }, 'removed an unused clone');
      } catch (error) {
        failed.push(directory);
        firstError ??= error;
      }
    }
    if (failed.length === 0) return;
    log.warn({ directories: failed, error: firstError }, 'unused clones cannot be removed');
  }

  /** A missing clone gets its mark when it is created again. */
  private async mark(): Promise<void> {
    try {
      requireTrusted(this.clone);
      await writeMark(this.clone);
    } catch (error) {
      log.debug({ directory: this.clone, error }, 'cannot renew the mark of a clone');
    }
  }
}

async function unusedClonesBeside(clone: string): Promise<readonly string[]> {
  const clones = dirname(clone);
  const unused: string[] = [];
  for (const name of await readdir(clones).catch(() => [])) {
    const path = join(clones, name);
    if (CLONE_NAME.test(name) && path !== clone && (await isUnused(path))) unused.push(path);
  }
  return unused;
}

/** Links are not followed. Clones that cannot be read, or that belong to other users, do not count as unused. */
async function isUnused(path: string): Promise<boolean> {
  const stats = await Promise.all([lstat(path), lstat(join(path, MARK_FILE))]).catch(
    () => undefined,
  );
  if (stats === undefined) return false;
  const [directory, mark] = stats;
  return isTrusted(directory) && mark.isFile() && mark.mtimeMs < Date.now() - UNUSED_AFTER_MS;
}
