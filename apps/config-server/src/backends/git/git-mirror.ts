// Creates, fetches and repairs the bare clone.
import { access, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loggerFor } from '@tessera/logging';
import { makeDirectories } from '@tessera/runtime';
import { requireTrusted } from './clone-permissions.js';
import { makeTemporaryDirectory, removeClone, writeMark } from './clone-lease.js';
import { GitError } from './git-error.js';
import type { GitProgram } from './git-program.js';
import { Refs } from './label-resolver.js';

const log = loggerFor('git');

/** Makes the local branches and tags equal to the remote ones, with forced pushes and deletions. */
const FETCH = [
  'fetch',
  '--quiet',
  '--prune',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
  // On the command line, because a value in the clone's configuration would precede ours.
  '--upload-pack=git-upload-pack',
  'origin',
  '+refs/heads/*:refs/heads/*',
  '+refs/tags/*:refs/tags/*',
];

/** Another process is updating the same branch. */
const LOCK_CONFLICT = /cannot lock ref|unable to create '.*\.lock'/i;
const FETCH_ATTEMPTS = 5;
/** Codes of a rename onto a directory that is not empty. @see rename(2) */
const NOT_EMPTY: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST']);

export class GitMirror {
  private needsCheck = false;

  constructor(private readonly git: GitProgram) {}

  /** Creates the clone if it is missing. @throws GitError GIT_UNUSABLE, also where other users can write in the clone */
  async prepare(): Promise<void> {
    const { directory } = this.git;
    requireTrusted(directory);
    if (await this.exists()) return;
    try {
      await makeDirectories(dirname(directory), 0o700);
      await this.create();
    } catch (error) {
      if (error instanceof GitError && error.code === 'GIT_UNUSABLE') throw error;
      throw new GitError(
        'GIT_UNUSABLE',
        `cannot create a clone at ${directory}: ${messageOf(error)}`,
      );
    }
  }

  /** Fetches all branches and tags. @throws GitError */
  async fetch(): Promise<Refs> {
    if (this.needsCheck) await this.repair();
    await this.prepare();
    try {
      await this.fetchWithRetries(FETCH_ATTEMPTS);
    } catch (error) {
      await this.repair();
      throw error;
    }
    return this.readRefs();
  }

  /** The branches and tags of the last fetch, by this or another process. @throws GitError */
  async readRefs(): Promise<Refs> {
    const listing = await this.git.run(Refs.LISTING);
    return Refs.parse(listing.toString('utf8'));
  }

  /** Makes the next fetch check the clone for damage first. */
  requestCheck(): void {
    this.needsCheck = true;
  }

  /** Packs the objects of many fetches, once git finds enough of them. A failure costs disk space alone. */
  async collectGarbage(): Promise<void> {
    await this.git.run(['gc', '--auto', '--quiet']).catch((error: unknown) => {
      log.debug({ error }, 'git gc failed');
    });
  }

  private exists(): Promise<boolean> {
    return access(join(this.git.directory, 'HEAD')).then(
      () => true,
      () => false,
    );
  }

  /** Created under another name and renamed: another process may create the same clone at the same time. */
  private async create(): Promise<void> {
    const { directory } = this.git;
    const temporary = await makeTemporaryDirectory(directory);
    try {
      await writeMark(temporary);
      await this.git.run([`--git-dir=${temporary}`, 'init', '--quiet', '--bare', '--template=']);
      await rename(temporary, directory).catch(async (error: unknown) => {
        requireTrusted(directory);
        if (await this.exists()) return;
        if (!NOT_EMPTY.has((error as NodeJS.ErrnoException).code)) throw error;
        await removeClone(directory);
        await rename(temporary, directory);
      });
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  private async fetchWithRetries(attempts: number): Promise<void> {
    try {
      await this.git.run(FETCH, 'remote');
    } catch (error) {
      if (attempts <= 1 || !isLockConflict(error)) throw error;
      await this.fetchWithRetries(attempts - 1);
    }
  }

  /** Removes stale locks of killed processes, and the whole clone if git fsck finds damage. */
  private async repair(): Promise<void> {
    try {
      this.needsCheck = false;
      requireTrusted(this.git.directory);
      await this.removeStaleLocks();
      await this.git.run(['fsck', '--connectivity-only', '--no-dangling', '--no-progress']);
    } catch (error) {
      if (!(error instanceof GitError) || error.code !== 'GIT_COMMAND_FAILED') return;
      log.warn({ directory: this.git.directory, error }, 'a damaged clone is created again');
      await removeClone(this.git.directory).catch(() => {});
    }
  }

  /** No command runs longer than its timeout, so a much older lock has no owner. */
  private async removeStaleLocks(): Promise<void> {
    const expiry = Date.now() - 2 * this.git.timeout;
    for (const name of await readdir(this.git.directory, { recursive: true })) {
      if (!name.endsWith('.lock')) continue;
      const path = join(this.git.directory, name);
      const { mtimeMs } = await stat(path);
      if (mtimeMs < expiry) await rm(path, { force: true });
    }
  }
}

function isLockConflict(error: unknown): boolean {
  return error instanceof GitError && error.stderrMatches(LOCK_CONFLICT);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
