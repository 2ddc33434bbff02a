// Owns what one fetch has shown: which commit each label means. Fetching, and reading commits, is elsewhere.
import { LRUCache } from 'lru-cache';
import { cachedSingleFlight } from '@tessera/runtime';
import type { Commit, GitCommits } from './git-commits.js';
import type { Refs } from './refs.js';

const DEFAULT_BRANCH = 'main';
/** What the default branch of older repositories is called. */
const FORMER_DEFAULT_BRANCH = 'master';
/** Shorter ones git does not take for ids. */
const COMMIT_ID = /^[0-9a-f]{4,64}$/i;
const ANSWERS_KEPT = 1_000;

export class LabelResolver {
  /** By the beginnings of ids that were asked for. */
  private readonly begun = new LRUCache<string, Promise<Commit | undefined>>({ max: ANSWERS_KEPT });
  /** By whole ids: however many beginnings a commit is asked for by, it is looked for once. */
  private readonly reached = new LRUCache<string, Promise<boolean>>({ max: ANSWERS_KEPT });

  constructor(
    private readonly refs: Refs,
    private readonly commits: GitCommits,
    private readonly defaultLabel: string,
  ) {}

  /**
   * The commit that a label means: a branch, else a tag, else the beginning of a commit's id; undefined for none.
   * @throws BackendError BACKEND_UNAVAILABLE
   */
  async find(label: string): Promise<Commit | undefined> {
    const id = this.refs.find(label) ?? this.formerDefault(label);
    if (id !== undefined) return this.commits.commit(id);
    return COMMIT_ID.test(label) ? this.beginningWith(label.toLowerCase()) : undefined;
  }

  isOf(refs: Refs): boolean {
    return this.refs.equals(refs);
  }

  /** Only what a branch or tag leads to: that is there in every clone, whenever it was made. */
  private async beginningWith(prefix: string): Promise<Commit | undefined> {
    const { commits } = this;
    const commit = await cachedSingleFlight(this.begun, prefix, () =>
      commits.beginningWith(prefix),
    );
    if (commit === undefined) return undefined;
    const isReached = await cachedSingleFlight(this.reached, commit.id, () =>
      commits.isReached(commit),
    );
    return isReached ? commit : undefined;
  }

  /** Where nobody has said what the default branch is called, it may be called as it once was. */
  private formerDefault(label: string): string | undefined {
    const isDefault = label === DEFAULT_BRANCH && this.defaultLabel === DEFAULT_BRANCH;
    return isDefault ? this.refs.find(FORMER_DEFAULT_BRANCH) : undefined;
  }
}
