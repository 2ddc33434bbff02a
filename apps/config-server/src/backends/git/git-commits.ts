// Owns reading commits and their trees, which never change and are kept for a while. Which label means which is elsewhere.
import { LRUCache } from 'lru-cache';
import { WorkQueue } from '@tessera/crypto';
import { cachedSingleFlight } from '@tessera/runtime';
import { BackendError } from '../backend-error.js';
import { CommitTree } from './commit-tree.js';
import type { GitProgram } from './git-program.js';
import { ObjectReader } from './object-reader.js';

export interface Commit {
  readonly id: string;
  readonly date: Date;
}

/** Bytes of a file or of a commit's message; what files of properties may have is less. */
const LARGEST_OBJECT = 16 * 1_024 * 1_024;
const COMMITS_KEPT = 1_000;
const TREES_KEPT = 16;
/** Commands that callers may have running: each is a process. */
const COMMANDS_AT_ONCE = 4;
/** Those that wait for their turn; whoever comes then is told to come again. */
const MOST_WAITING = 128;
/** A name holds neither angle brackets nor line feeds. */
const COMMITTER = /^committer [^\n]*> (\d+) [+-]\d{4}$/m;

/** Everything fails with BackendError BACKEND_UNAVAILABLE where the clone cannot be read. */
export class GitCommits {
  private readonly reader: ObjectReader;
  private readonly commits = new LRUCache<string, Promise<Commit | undefined>>({
    max: COMMITS_KEPT,
  });
  private readonly trees = new LRUCache<string, Promise<CommitTree>>({ max: TREES_KEPT });
  private readonly commands = new WorkQueue(COMMANDS_AT_ONCE, MOST_WAITING, tooMany);

  /** @param onDamage called where the clone may lack what it should hold */
  constructor(
    private readonly git: GitProgram,
    private readonly onDamage: () => void,
  ) {
    this.reader = new ObjectReader(git, LARGEST_OBJECT);
  }

  /**
   * The commit that an object is or leads to; undefined where it leads to none.
   * @param id whole
   */
  commit(id: string): Promise<Commit | undefined> {
    return cachedSingleFlight(this.commits, id, () => this.guarded(() => this.readCommit(id)));
  }

  /**
   * The commit whose id begins so; undefined where there is none, or there are several.
   * @param prefix hexadecimal digits in lower case
   */
  beginningWith(prefix: string): Promise<Commit | undefined> {
    return this.guarded(async () => {
      const commit = await this.readCommit(prefix);
      return commit?.id.startsWith(prefix) ? commit : undefined;
    });
  }

  /** Whether a branch or tag leads to it. */
  isReached({ id }: Commit): Promise<boolean> {
    const holders = ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${id}`];
    return this.guarded(async () => (await this.run(holders)).length > 0);
  }

  tree(commit: Commit): Promise<CommitTree> {
    return cachedSingleFlight(this.trees, commit.id, () =>
      this.guarded(async () => {
        const listing = await this.run(CommitTree.listing(commit.id));
        return CommitTree.parse(listing, commit.date, (id) => this.readBlob(id));
      }),
    );
  }

  /** What a command says, in its turn. */
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
    return this.guarded(async () => {
      const found = await this.reader.read(id);
      if (found === undefined) throw new Error(`the clone lacks the object ${id}`);
      if (found !== 'too large') return found.content;
      throw new BackendError('SOURCE_MALFORMED', `a file is larger than ${LARGEST_OBJECT} bytes`);
    });
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof BackendError) throw error;
      this.onDamage();
      throw BackendError.unavailable('git', error);
    }
  }
}

function tooMany(): BackendError {
  return BackendError.unavailable('git', new Error('too many commands of git are waiting'));
}
