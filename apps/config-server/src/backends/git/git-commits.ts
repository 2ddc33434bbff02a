// Reads commits and their file trees, and caches the trees, which never change.
import { LRUCache } from 'lru-cache';
import { WorkQueue } from '@tessera/crypto';
import { cachedSingleFlight } from '@tessera/runtime';
import { BackendError } from '../backend-error.js';
import type { DirectoryListing, FileTree, TreeFile } from '../environment-backend.js';
import type { GitProgram } from './git-program.js';
import { ObjectReader } from './object-reader.js';

export interface Commit {
  readonly id: string;
  readonly date: Date;
}

/** Bytes of a file or of a commit's message. The limit for settings files is lower. */
const MAX_OBJECT_BYTES = 16 * 1_024 * 1_024;
const TREE_CACHE_SIZE = 16;
/** Each running command is a process. */
const MAX_RUNNING_COMMANDS = 4;
/** Further commands fail with a temporary error. */
const MAX_QUEUED_COMMANDS = 128;
/** A committer's name holds neither angle brackets nor line feeds. */
const COMMITTER = /^committer [^\n]*> (\d+) [+-]\d{4}$/m;

/** Every method fails with BackendError BACKEND_UNAVAILABLE where the clone cannot be read. */
export class GitCommits {
  private readonly reader: ObjectReader;
  private readonly trees = new LRUCache<string, Promise<CommitTree>>({ max: TREE_CACHE_SIZE });
  private readonly commands = new WorkQueue(MAX_RUNNING_COMMANDS, MAX_QUEUED_COMMANDS, queueFull);

  /** @param onDamage called where objects may be missing in the clone */
  constructor(
    private readonly git: GitProgram,
    private readonly onDamage: () => void,
  ) {
    this.reader = new ObjectReader(git, MAX_OBJECT_BYTES);
  }

  /**
   * The commit with this id, or the one that the tag with this id points to; undefined for other objects.
   * @param id all digits
   */
  find(id: string): Promise<Commit | undefined> {
    return this.asBackendErrors(() => this.readCommit(id));
  }

  /**
   * The commit whose id starts with the prefix; undefined for none, or for several.
   * @param prefix hexadecimal digits in lower case
   */
  findByPrefix(prefix: string): Promise<Commit | undefined> {
    return this.asBackendErrors(async () => {
      const commit = await this.readCommit(prefix);
      return commit?.id.startsWith(prefix) ? commit : undefined;
    });
  }

  /** Whether a branch or tag contains the commit. */
  isReachable({ id }: Commit): Promise<boolean> {
    const refs = ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${id}`];
    return this.asBackendErrors(async () => (await this.run(refs)).length > 0);
  }

  tree(commit: Commit): Promise<CommitTree> {
    return cachedSingleFlight(this.trees, commit.id, () =>
      this.asBackendErrors(async () => {
        const listing = await this.run(CommitTree.listing(commit.id));
        return CommitTree.parse(listing, commit.date, (id) => this.readBlob(id));
      }),
    );
  }

  private run(args: readonly string[]): Promise<Buffer> {
    return this.commands.run(() => this.git.run(args));
  }

  private async readCommit(name: string): Promise<Commit | undefined> {
    const found = await this.reader.read(`${name}^{commit}`);
    if (found === undefined || found === 'too large') return undefined;
    const [, seconds = '0'] = COMMITTER.exec(found.content.toString('utf8')) ?? [];
    return { id: found.id, date: new Date(Number(seconds) * 1_000) };
  }

  private readBlob(id: string): Promise<Buffer> {
    return this.asBackendErrors(async () => {
      const found = await this.reader.read(id);
      if (found === undefined) throw new Error(`the clone lacks the object ${id}`);
      if (found !== 'too large') return found.content;
      throw new BackendError('SOURCE_MALFORMED', `a file is larger than ${MAX_OBJECT_BYTES} bytes`);
    });
  }

  private async asBackendErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof BackendError) throw error;
      this.onDamage();
      throw BackendError.unavailable('git', error);
    }
  }
}

function queueFull(): BackendError {
  return BackendError.unavailable('git', new Error('too many git commands are waiting'));
}

/** Reads a blob by its id. @throws BackendError BACKEND_UNAVAILABLE */
type ReadBlob = (id: string) => Promise<Buffer>;

interface Blob {
  readonly id: string;
  /** In bytes. */
  readonly size: number;
}

/** Mode, type, id, size and path. @see git-ls-tree(1) */
const ENTRY = /^(\d{6}) [a-z]+ ([0-9a-f]{40,64}) +(\d+|-)\t(.+)$/s;
/** The mode of files; links have 120000 and submodules 160000. */
const REGULAR = /^100/;
const HIDDEN = /(?:^|\/)\./;

/** The files of one commit, without links, submodules and hidden files. */
export class CommitTree implements FileTree {
  private listings: ReadonlyMap<string, DirectoryListing> | undefined;

  private constructor(
    private readonly blobs: ReadonlyMap<string, Blob>,
    private readonly modified: Date,
    private readonly read: ReadBlob,
  ) {}

  /** Arguments of the git command whose output {@link CommitTree.parse} reads. */
  static listing(commit: string): readonly string[] {
    return ['ls-tree', '-r', '-l', '-z', '--full-tree', '--end-of-options', commit];
  }

  /** @param modified the date of the commit, which every file gets: git stores no times of files */
  static parse(listing: Buffer, modified: Date, read: ReadBlob): CommitTree {
    const entries = listing.toString('utf8').split('\0');
    const blobs = entries.flatMap((entry): [string, Blob][] => {
      const [, mode = '', id = '', size = '', path = ''] = ENTRY.exec(entry) ?? [];
      if (!REGULAR.test(mode) || HIDDEN.test(path)) return [];
      return [[path, { id, size: Number(size) }]];
    });
    return new CommitTree(new Map(blobs), modified, read);
  }

  find(path: string): Promise<TreeFile | undefined> {
    const blob = this.blobs.get(path);
    if (blob === undefined) return Promise.resolve(undefined);
    const { id, size } = blob;
    const { modified } = this;
    return Promise.resolve({ revision: id, size, modified, read: () => this.read(id) });
  }

  list(directory: string): Promise<DirectoryListing> {
    this.listings ??= listingsOf(this.blobs.keys());
    return Promise.resolve(this.listings.get(directory) ?? new GrowingListing());
  }
}

class GrowingListing implements DirectoryListing {
  readonly files = new Set<string>();
  readonly directories = new Set<string>();
}

/** By directory. A commit has no empty directories. */
function listingsOf(paths: Iterable<string>): ReadonlyMap<string, DirectoryListing> {
  const listings = new Map<string, GrowingListing>();
  const listingOf = (directory: string): GrowingListing => {
    const known = listings.get(directory);
    if (known) return known;
    const created = new GrowingListing();
    listings.set(directory, created);
    if (directory !== '') {
      const parent = directory.slice(0, directory.lastIndexOf('/', directory.length - 2) + 1);
      listingOf(parent).directories.add(directory.slice(parent.length, -1));
    }
    return created;
  };
  for (const path of paths) {
    const start = path.lastIndexOf('/') + 1;
    listingOf(path.slice(0, start)).files.add(path.slice(start));
  }
  return listings;
}
