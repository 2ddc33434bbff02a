// Owns the bare clone on the disk: made, fetched into, mended. When that happens, and what is read of it, is elsewhere.
import { access, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loggerFor } from '@tessera/logging';
import { makeDirectories } from '@tessera/runtime';
import { requireTrusted } from './clone-permissions.js';
import { makeBeside, markClone, removeClone } from './clone-lease.js';
import { GitError } from './git-error.js';
import type { GitProgram } from './git-program.js';
import { Refs } from './refs.js';

const log = loggerFor('git');

/** Branches and tags as they are there, whatever they were here: moved, forced, or gone. */
const FETCH = [
  'fetch',
  '--quiet',
  '--prune',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
  // Of several in the configuration the first is run, and ours would come after that of the clone.
  '--upload-pack=git-upload-pack',
  'origin',
  '+refs/heads/*:refs/heads/*',
  '+refs/tags/*:refs/tags/*',
];

/** Another process moved the same branch in this moment. */
const CONTENTION = /cannot lock ref|unable to create '.*\.lock'/i;
const ATTEMPTS = 5;
/** What a directory with something in it is no place for. @see rename(2) */
const TAKEN: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST']);

export class GitMirror {
  private isDoubted = false;

  constructor(private readonly git: GitProgram) {}

  /** Makes the clone where there is none yet. @throws GitError GIT_UNUSABLE, also where others may write in the clone */
  async prepare(): Promise<void> {
    const { directory } = this.git;
    requireTrusted(directory);
    if (await this.isThere()) return;
    try {
      await makeDirectories(dirname(directory), 0o700);
      await this.make();
    } catch (error) {
      if (error instanceof GitError && error.code === 'GIT_UNUSABLE') throw error;
      throw new GitError('GIT_UNUSABLE', `no clone can be made at ${directory}: ${said(error)}`);
    }
  }

  /** Takes over what the remote repository holds. @throws GitError */
  async fetch(): Promise<Refs> {
    if (this.isDoubted) await this.mend();
    await this.prepare();
    try {
      await this.fetchOnce(ATTEMPTS);
    } catch (error) {
      await this.mend();
      throw error;
    }
    return this.known();
  }

  /** What the clone holds of the last fetch, whoever did it. @throws GitError */
  async known(): Promise<Refs> {
    const listing = await this.git.run(Refs.LISTING);
    return Refs.parse(listing.toString('utf8'));
  }

  /** Has the next fetch look whether the clone is whole. */
  doubt(): void {
    this.isDoubted = true;
  }

  /** Packs what many fetches have left, once there is enough of it. A failure costs nothing but space. */
  async tidy(): Promise<void> {
    await this.git.run(['gc', '--auto', '--quiet']).catch((error: unknown) => {
      log.debug({ error }, 'a clone could not be tidied');
    });
  }

  private isThere(): Promise<boolean> {
    return access(join(this.git.directory, 'HEAD')).then(
      () => true,
      () => false,
    );
  }

  /** Appears whole or not at all: another process may do the same in this moment. */
  private async make(): Promise<void> {
    const { directory } = this.git;
    const made = await makeBeside(directory);
    try {
      await markClone(made);
      await this.git.run([`--git-dir=${made}`, 'init', '--quiet', '--bare', '--template=']);
      await rename(made, directory).catch(async (error: unknown) => {
        requireTrusted(directory);
        if (await this.isThere()) return;
        if (!TAKEN.has((error as NodeJS.ErrnoException).code)) throw error;
        await removeClone(directory);
        await rename(made, directory);
      });
    } finally {
      await rm(made, { recursive: true, force: true });
    }
  }

  private async fetchOnce(attempts: number): Promise<void> {
    try {
      await this.git.run(FETCH, 'remote');
    } catch (error) {
      if (attempts <= 1 || !isContention(error)) throw error;
      await this.fetchOnce(attempts - 1);
    }
  }

  /** Removes what a process that was killed, or a disk that failed, has left to stand in the way of the next fetch. */
  private async mend(): Promise<void> {
    try {
      this.isDoubted = false;
      requireTrusted(this.git.directory);
      await this.removeStaleLocks();
      await this.git.run(['fsck', '--connectivity-only', '--no-dangling', '--no-progress']);
    } catch (error) {
      if (!(error instanceof GitError) || error.code !== 'GIT_COMMAND_FAILED') return;
      log.warn({ directory: this.git.directory, error }, 'a damaged clone is made anew');
      await removeClone(this.git.directory).catch(() => {});
    }
  }

  /** No command lives longer than its time, so a lock far older is nobody's. */
  private async removeStaleLocks(): Promise<void> {
    const oldest = Date.now() - 2 * this.git.timeout;
    for (const name of await readdir(this.git.directory, { recursive: true })) {
      if (!name.endsWith('.lock')) continue;
      const path = join(this.git.directory, name);
      const { mtimeMs } = await stat(path);
      if (mtimeMs < oldest) await rm(path, { force: true });
    }
  }
}

function isContention(error: unknown): boolean {
  return error instanceof GitError && error.speaksOf(CONTENTION);
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
