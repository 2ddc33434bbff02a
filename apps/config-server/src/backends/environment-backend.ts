// The ports of the config server's storage: backends, and the file trees that file backends read.
import type { Properties } from '@tessera/property-sources';

/** Names are validated: `(_)` is already a slash; no other separators, no `.` or `..`, no control characters. */
export interface EnvironmentQuery {
  /** In the order of the request; a later one beats an earlier one. Contains `application` only if the request does. */
  readonly applications: readonly string[];
  /** In the order of the request; a later one beats an earlier one. */
  readonly profiles: readonly string[];
  /** A branch, tag or commit, or several with commas between; undefined for the backend's default. */
  readonly label: string | undefined;
}

/** A named set of properties: one document of a file, or one path of a store. */
export interface PropertySource {
  readonly name: string;
  readonly properties: Properties;
}

/** The answer of a backend to a query. */
export interface BackendEnvironment {
  /** Equal revisions of equal queries mean equal sources. Never shown to callers. */
  readonly revision: string;
  /** Shown to clients: a commit id; null where the backend has no versions. */
  readonly version: string | null;
  readonly state: string | null;
  /** The strongest first. */
  readonly sources: readonly PropertySource[];
}

export interface PlainFileQuery extends EnvironmentQuery {
  /** Relative, `/` between its validated names. */
  readonly path: string;
}

export interface PlainFile {
  readonly content: Buffer;
  readonly modified: Date;
}

/**
 * A store of properties. All methods may run concurrently.
 *
 * @throws BackendError BACKEND_UNAVAILABLE where it cannot be reached, LABEL_UNKNOWN, SOURCE_MALFORMED
 */
export interface EnvironmentBackend {
  /** As in `config-server.backends`: `native`, `git`, `vault`, `postgres`. */
  readonly name: string;
  /** The whole environment or an error, never a part of it. */
  find(query: EnvironmentQuery): Promise<BackendEnvironment>;
  /** A file as it is; undefined where it does not exist. Absent where the backend stores no files. */
  readFile?(query: PlainFileQuery): Promise<PlainFile | undefined>;
  /** Looks for changes now instead of at the next poll. Absent where every request looks. */
  refresh?(): Promise<void>;
  close?(): Promise<void>;
}

/** A file found in a tree, not yet read. */
export interface TreeFile {
  /** Equal revisions of a path mean equal content; undefined while the tree cannot promise that. */
  readonly revision: string | undefined;
  /** In bytes. */
  readonly size: number;
  readonly modified: Date;
  /**
   * The whole content of the file that was found; undefined where the file has changed, so that it must be found again.
   *
   * @throws BackendError BACKEND_UNAVAILABLE
   */
  read(): Promise<Buffer | undefined>;
}

/** What is in a directory of a tree: no names that begin with a dot, and nothing that leads out of the tree. */
export interface DirectoryListing {
  readonly files: ReadonlySet<string>;
  readonly directories: ReadonlySet<string>;
}

/** A directory, or a commit of a git repository. */
export interface FileTree {
  /**
   * The regular file at a relative path (`/` between names); undefined where none exists. Also undefined for a path with a
   * name that begins with a dot, and for a path that leaves the tree, directly or through a link.
   *
   * @throws BackendError BACKEND_UNAVAILABLE where the tree cannot be read
   */
  find(path: string): Promise<TreeFile | undefined>;
  /**
   * The names in a directory: `''` for the root, else a relative path that ends in a slash. Empty where there is none.
   *
   * @throws BackendError BACKEND_UNAVAILABLE where the tree cannot be read
   */
  list(directory: string): Promise<DirectoryListing>;
}
