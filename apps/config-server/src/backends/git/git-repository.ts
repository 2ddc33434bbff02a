// The state of a repository: its labels as of the last fetch, and the error of a fetch that failed.
import { loggerFor } from '@tessera/logging';
import { BackendError } from '../backend-error.js';
import { cloneDirectoryOf } from './clone-directory.js';
import { GitCommits, type Commit } from './git-commits.js';
import type { GitOptions } from '../../settings/git-settings.js';
import { localEnvironment, remoteEnvironment } from './git-environment.js';
import { GitMirror } from './git-mirror.js';
import { GitProgram } from './git-program.js';
import { LabelResolver, type Refs } from './label-resolver.js';
import { RefreshScheduler } from './refresh-scheduler.js';

const log = loggerFor('git');

/**
 * Unavailable from the first fetch that fails until the next that succeeds. With `servesLastKnown`, unavailable only
 * while there is no last known state.
 */
export class GitRepository {
  readonly commits: GitCommits;
  private readonly mirror: GitMirror;
  private readonly refreshing: RefreshScheduler;
  private labels: LabelResolver | undefined;
  private failedFetch: { readonly error: unknown } | undefined;
  private isClosed = false;

  private constructor(
    private readonly git: GitProgram,
    private readonly options: GitOptions,
  ) {
    this.mirror = new GitMirror(git);
    this.commits = new GitCommits(git, () => this.mirror.requestCheck());
    this.refreshing = new RefreshScheduler(() => this.fetch(), options.refresh);
  }

  /**
   * Creates the clone and starts the first fetch, without waiting for it.
   *
   * @param continues whether this process has used the clone before: then the state in it is current at once, unless the
   * last fetch has failed and `servesLastKnown` is off
   * @throws GitError GIT_UNUSABLE
   */
  static async open(options: GitOptions, continues = false): Promise<GitRepository> {
    const directory = cloneDirectoryOf(options.cloneDirectory, options.uri);
    const environments = {
      local: localEnvironment(directory),
      remote: remoteEnvironment(directory, options),
    };
    const git = new GitProgram(directory, environments, options.timeout);
    const repository = new GitRepository(git, options);
    await repository.mirror.prepare();
    await git.requireVersion();
    if (continues && (options.servesLastKnown || repository.mirror.isFetched)) {
      await repository.loadClone();
    }
    void repository.refresh().catch(() => {});
    return repository;
  }

  /** Fetches what was pushed before this call. @throws BackendError BACKEND_UNAVAILABLE */
  refresh(): Promise<void> {
    return this.refreshing.now();
  }

  /**
   * The commit of a branch, else of a tag, else of a commit id or its prefix. `HEAD` is that of the default label.
   * @throws BackendError LABEL_UNKNOWN, BACKEND_UNAVAILABLE
   */
  async commitOf(label = this.options.defaultLabel): Promise<Commit> {
    const commit = await (await this.currentLabels()).find(label);
    if (commit !== undefined) return commit;
    throw new BackendError('LABEL_UNKNOWN', `there is no branch, tag or commit ${label}`);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.refreshing.close();
    await this.git.close();
  }

  private async currentLabels(): Promise<LabelResolver> {
    if (this.labels === undefined && this.failedFetch === undefined) {
      await this.refreshing.settled();
    }
    const { labels, failedFetch } = this;
    const isServed = failedFetch === undefined || this.servesLastKnown;
    if (labels !== undefined && isServed) return labels;
    throw BackendError.unavailable('git', failedFetch?.error);
  }

  private get servesLastKnown(): boolean {
    return this.options.servesLastKnown && this.labels !== undefined;
  }

  private async fetch(): Promise<void> {
    let isChanged: boolean;
    try {
      isChanged = this.update(await this.mirror.fetch());
    } catch (error) {
      const isFirstFailure = this.failedFetch === undefined && !this.isClosed;
      await this.loadLastKnown();
      this.failedFetch = { error };
      // Without a last known state the refused requests are logged instead.
      if (isFirstFailure && this.servesLastKnown) {
        log.warn({ repository: this.options.uri, error }, 'the repository cannot be fetched');
      }
      throw BackendError.unavailable('git', error);
    }
    if (isChanged) await this.mirror.collectGarbage();
  }

  /** After a start without the repository: the state that an earlier process left in the clone. */
  private async loadLastKnown(): Promise<void> {
    if (this.options.servesLastKnown && this.labels === undefined) await this.loadClone();
  }

  private async loadClone(): Promise<void> {
    const refs = await this.mirror.readRefs().catch(() => undefined);
    if (refs === undefined || refs.isEmpty) return;
    this.labels = new LabelResolver(refs, this.commits, this.options.defaultLabel);
  }

  /** Returns whether any branch or tag has changed. */
  private update(refs: Refs): boolean {
    const wasLogged = this.failedFetch !== undefined && this.servesLastKnown;
    if (wasLogged) {
      log.info({ repository: this.options.uri }, 'the repository can be fetched again');
    }
    this.failedFetch = undefined;
    if (this.labels?.hasRefs(refs)) return false;
    this.labels = new LabelResolver(refs, this.commits, this.options.defaultLabel);
    return true;
  }
}
