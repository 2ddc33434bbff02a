// Owns what is known of the repository: what its labels mean as last fetched, and whether it can be fetched at all.
import { loggerFor } from '@tessera/logging';
import { BackendError } from '../backend-error.js';
import { CloneLease, cloneDirectoryOf } from './clone-lease.js';
import { LabelResolver } from './label-resolver.js';
import { GitCommits, type Commit } from './git-commits.js';
import { localEnvironment, remoteEnvironment } from './git-environment.js';
import { GitMirror } from './git-mirror.js';
import type { GitOptions } from './git-options.js';
import { GitProgram } from './git-program.js';
import { RefreshScheduler } from './refresh-scheduler.js';
import type { Refs } from './refs.js';

const log = loggerFor('git');

/**
 * Reports itself away from the first fetch that fails to the next that succeeds; where the last known state is to be
 * served, only while there is none.
 */
export class GitRepository {
  readonly commits: GitCommits;
  private readonly mirror: GitMirror;
  private readonly refreshing: RefreshScheduler;
  private readonly use: CloneLease;
  private labels: LabelResolver | undefined;
  private fault: { readonly error: unknown } | undefined;
  private isClosed = false;

  private constructor(
    private readonly git: GitProgram,
    private readonly options: Pick<GitOptions, 'defaultLabel' | 'refresh' | 'servesLastKnown'>,
  ) {
    this.mirror = new GitMirror(git);
    this.commits = new GitCommits(git, () => this.mirror.doubt());
    this.use = new CloneLease(git.directory);
    this.refreshing = new RefreshScheduler(() => this.fetch(), options.refresh);
  }

  /** Makes the clone and begins to fetch, which is waited for where it is needed. @throws GitError GIT_UNUSABLE */
  static async open(options: GitOptions): Promise<GitRepository> {
    const directory = cloneDirectoryOf(options.cloneDirectory, options.uri);
    const environments = {
      local: localEnvironment(directory),
      remote: remoteEnvironment(directory, options),
    };
    const git = new GitProgram(directory, environments, options.timeout);
    const repository = new GitRepository(git, options);
    await repository.mirror.prepare();
    await git.requireVersion();
    await repository.use.begin();
    void repository.use.removeUnused();
    void repository.refresh().catch(() => {});
    return repository;
  }

  /** Sees what was pushed before this call. @throws BackendError BACKEND_UNAVAILABLE */
  refresh(): Promise<void> {
    return this.refreshing.now();
  }

  /**
   * The commit that a label means: a branch, else a tag, else the beginning of a commit's id.
   * @throws BackendError LABEL_UNKNOWN, BACKEND_UNAVAILABLE
   */
  async commitOf(label = this.options.defaultLabel): Promise<Commit> {
    const commit = await (await this.current()).find(label);
    if (commit !== undefined) return commit;
    throw new BackendError('LABEL_UNKNOWN', `there is no branch, tag or commit ${label}`);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.refreshing.close();
    this.use.end();
    await this.git.close();
  }

  private async current(): Promise<LabelResolver> {
    if (this.labels === undefined && this.fault === undefined) {
      await this.refreshing.settled();
    }
    const { labels, fault } = this;
    if (labels !== undefined && (fault === undefined || this.servesLastKnown)) return labels;
    throw BackendError.unavailable('git', fault?.error);
  }

  private get servesLastKnown(): boolean {
    return this.options.servesLastKnown && this.labels !== undefined;
  }

  private async fetch(): Promise<void> {
    let isChanged: boolean;
    try {
      isChanged = this.take(await this.mirror.fetch());
    } catch (error) {
      const isNews = this.fault === undefined && !this.isClosed;
      await this.recall();
      this.fault = { error };
      // Otherwise whoever asks is refused, and tells the log.
      if (isNews && this.servesLastKnown) log.warn({ error }, 'the repository cannot be fetched');
      throw BackendError.unavailable('git', error);
    }
    if (isChanged) await this.mirror.tidy();
  }

  /** After a start without the repository: what an earlier run has left in the clone. */
  private async recall(): Promise<void> {
    if (!this.options.servesLastKnown || this.labels !== undefined) return;
    const refs = await this.mirror.known().catch(() => undefined);
    if (refs === undefined || refs.isEmpty) return;
    this.labels = new LabelResolver(refs, this.commits, this.options.defaultLabel);
  }

  /** Whether there is anything new. */
  private take(refs: Refs): boolean {
    const wasTold = this.fault !== undefined && this.servesLastKnown;
    if (wasTold) log.info({}, 'the repository can be fetched again');
    this.fault = undefined;
    if (this.labels?.isOf(refs)) return false;
    this.labels = new LabelResolver(refs, this.commits, this.options.defaultLabel);
    return true;
  }
}
