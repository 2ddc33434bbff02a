// Resolves labels to commits, by the branches and tags of one fetch.
import { LRUCache } from 'lru-cache';
import { cachedSingleFlight } from '@tessera/runtime';
import type { Commit, GitCommits } from './git-commits.js';

/** The tip of the default label. */
const HEAD = 'HEAD';
const DEFAULT_BRANCH = 'main';
/** The default branch of older repositories. */
const FORMER_DEFAULT_BRANCH = 'master';
/** Git requires at least four digits. */
const COMMIT_ID = /^[0-9a-f]{4,64}$/i;
const CACHE_SIZE = 1_000;

export class LabelResolver {
  /** By whole ids, so that several prefixes of one commit share one search. */
  private readonly reachable = new LRUCache<string, Promise<boolean>>({ max: CACHE_SIZE });

  constructor(
    private readonly refs: Refs,
    private readonly commits: GitCommits,
    private readonly defaultLabel: string,
  ) {}

  /**
   * The commit of a branch, else of a tag, else of a commit id or its prefix, else of `HEAD`; undefined for none.
   * @throws BackendError BACKEND_UNAVAILABLE
   */
  async find(label: string): Promise<Commit | undefined> {
    const id = this.refs.find(label) ?? this.findFormerDefault(label);
    if (id !== undefined) return this.commits.find(id);
    if (label === HEAD && this.defaultLabel !== HEAD) return this.find(this.defaultLabel);
    return COMMIT_ID.test(label) ? this.findByPrefix(label.toLowerCase()) : undefined;
  }

  hasRefs(refs: Refs): boolean {
    return this.refs.equals(refs);
  }

  /** Only reachable commits: every clone has those, whenever it was made. */
  private async findByPrefix(prefix: string): Promise<Commit | undefined> {
    const { commits } = this;
    const commit = await commits.findByPrefix(prefix);
    if (commit === undefined) return undefined;
    const isReachable = await cachedSingleFlight(this.reachable, commit.id, () =>
      commits.isReachable(commit),
    );
    return isReachable ? commit : undefined;
  }

  /** `master` stands in for a missing `main`, unless another default label is set. */
  private findFormerDefault(label: string): string | undefined {
    const isDefault = label === DEFAULT_BRANCH && this.defaultLabel === DEFAULT_BRANCH;
    return isDefault ? this.refs.find(FORMER_DEFAULT_BRANCH) : undefined;
  }
}

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';

/** The branches and tags of a clone at one moment. */
export class Refs {
  /** Arguments of the git command whose output {@link Refs.parse} reads. */
  static readonly LISTING = ['for-each-ref', '--format=%(objectname) %(refname)', BRANCH, TAG];

  private constructor(
    private readonly ids: ReadonlyMap<string, string>,
    private readonly listing: string,
  ) {}

  static parse(listing: string): Refs {
    const lines = listing.split('\n').filter((line) => line !== '');
    const entries = lines.map((line): [string, string] => {
      const space = line.indexOf(' ');
      return [line.slice(space + 1), line.slice(0, space)];
    });
    return new Refs(new Map(entries), listing);
  }

  /** The object id of a full ref name such as `refs/heads/main`, else of a branch, else of a tag. */
  find(label: string): string | undefined {
    const names = [label, BRANCH + label, TAG + label];
    const name = names.find((each) => this.ids.has(each));
    return name === undefined ? undefined : this.ids.get(name);
  }

  get isEmpty(): boolean {
    return this.ids.size === 0;
  }

  equals(other: Refs): boolean {
    return this.listing === other.listing;
  }
}
