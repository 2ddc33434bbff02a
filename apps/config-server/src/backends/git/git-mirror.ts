// Creates, fetches and repairs the bare clone.
import { access, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loggerFor } from '@tessera/logging';
import { requirePrivateDirectory } from './clone-directory.js';
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

/**
 * The last change of each clone. Changes of one clone run one after the other: during a reload, two applications of this
 * process use it.
 */
const lastChanges = new Map<string, Promise<unknown>>();

/** The clones whose last fetch has succeeded, in this process. */
const fetched = new Set<string>();

export class GitMirror {
  private needsCheck = false;

  constructor(private readonly git: GitProgram) {}

  /** Creates the clone if it is missing. @throws GitError GIT_UNUSABLE, also where its directory is not private */
  async prepare(): Promise<void> {
    await requirePrivateDirectory(this.git.directory);
    if (!(await this.exists())) await this.exclusively(() => this.create());
  }

  /** Whether the last fetch of this process into the clone has succeeded. */
  get isFetched(): boolean {
    return fetched.has(this.git.directory);
  }

  /** Fetches all branches and tags. @throws GitError */
  fetch(): Promise<Refs> {
    return this.exclusively(async () => {
      if (this.needsCheck) await this.repair();
      await requirePrivateDirectory(this.git.directory);
      await this.create();
      try {
        await this.git.run(FETCH, 'remote');
        fetched.add(this.git.directory);
      } catch (error) {
        fetched.delete(this.git.directory);
        await this.repair();
        throw error;
      }
      return this.readRefs();
    });
  }

  /** The branches and tags of the last fetch. @throws GitError */
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
    const gc = ['gc', '--auto', '--quiet'];
    await this.exclusively(() => this.git.run(gc)).catch((error: unknown) => {
      log.debug({ error }, 'git gc failed');
    });
  }

  private exclusively<T>(change: () => Promise<T>): Promise<T> {
    const { directory } = this.git;
    const changed = (lastChanges.get(directory) ?? Promise.resolve()).then(change);
    lastChanges.set(
      directory,
      changed.catch(() => {}),
    );
    return changed;
  }

  private exists(): Promise<boolean> {
    return access(join(this.git.directory, 'HEAD')).then(
      () => true,
      () => false,
    );
  }

  private async create(): Promise<void> {
    if (await this.exists()) return;
    const { directory } = this.git;
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await this.git.run(['init', '--quiet', '--bare', '--template=']);
    } catch (error) {
      if (error instanceof GitError && error.code === 'GIT_UNUSABLE') throw error;
      const reason = (error as Error).message;
      throw new GitError('GIT_UNUSABLE', `cannot create a clone at ${directory}: ${reason}`);
    }
  }

  /** Removes the locks of killed commands, and the whole clone if git fsck finds damage. */
  private async repair(): Promise<void> {
    const { directory } = this.git;
    try {
      this.needsCheck = false;
      for (const name of await readdir(directory, { recursive: true })) {
        if (name.endsWith('.lock')) await rm(join(directory, name), { force: true });
      }
      await this.git.run(['fsck', '--connectivity-only', '--no-dangling', '--no-progress']);
    } catch (error) {
      if (!(error instanceof GitError) || error.code !== 'GIT_COMMAND_FAILED') return;
      log.warn({ directory, error }, 'a damaged clone is created again');
      await rm(directory, { recursive: true, force: true }).catch(() => {});
    }
  }
}
