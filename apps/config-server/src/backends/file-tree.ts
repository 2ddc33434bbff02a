// Owns the port of trees of files, which the directory and the commits of git have in common. What files mean is not
// its affair.

/** A file found in a tree, not yet read. */
export interface TreeFile {
  /** Equal revisions of one path have equal content; undefined while the tree cannot promise that. */
  readonly revision: string | undefined;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /**
   * The content that was found, whole; undefined where the file is another by now, which is then to be found again.
   *
   * @throws BackendError BACKEND_UNAVAILABLE
   */
  read(): Promise<Buffer | undefined>;
}

export interface FileTree {
  /**
   * The regular file at a relative path (`/` between names); undefined where there is none: also for whatever begins with
   * a dot, leaves the tree or is reached through a link that does.
   *
   * @throws BackendError BACKEND_UNAVAILABLE where that cannot be told
   */
  find(path: string): Promise<TreeFile | undefined>;
}
