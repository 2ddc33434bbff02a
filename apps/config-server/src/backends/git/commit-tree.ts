// Owns the files of one commit. Which commit, and who asks, is not known here.
import type { FileTree, TreeFile } from '../file-tree.js';

/** Reads a blob by its id. @throws BackendError BACKEND_UNAVAILABLE */
export type ReadBlob = (id: string) => Promise<Buffer>;

interface Blob {
  readonly id: string;
  /** In bytes. */
  readonly size: number;
}

/** Mode, type, id, size and path. @see git-ls-tree(1) */
const ENTRY = /^(\d{6}) [a-z]+ ([0-9a-f]{40,64}) +(\d+|-)\t(.+)$/s;
/** Of files; links are 120000 and submodules 160000. */
const REGULAR = /^100/;
const HIDDEN = /(?:^|\/)\./;

export class CommitTree implements FileTree {
  private constructor(
    private readonly blobs: ReadonlyMap<string, Blob>,
    private readonly modified: Date,
    private readonly read: ReadBlob,
  ) {}

  /** Arguments for git that make it write what {@link CommitTree.parse} reads. */
  static listing(commit: string): readonly string[] {
    return ['ls-tree', '-r', '-l', '-z', '--full-tree', '--end-of-options', commit];
  }

  /** @param modified of every file: git keeps no times of theirs, only the commit's */
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
}
