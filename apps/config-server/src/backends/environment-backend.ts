// Owns the port of backends: where the properties of applications are kept. Decryption, overrides and the forms of
// answers are the environment's.
import type { Properties } from '@tessera/property-sources';

/** Names are checked already: no separators but those that `(_)` stood for, no dots alone, no control characters. */
export interface EnvironmentQuery {
  /** In the order given; a later one beats an earlier one. `application` is never among them unless it was asked for. */
  readonly applications: readonly string[];
  /** In the order given; a later one beats an earlier one. */
  readonly profiles: readonly string[];
  /** A branch, tag or commit; undefined for the backend's default. */
  readonly label: string | undefined;
}

/** A named set of properties: what one document of one file holds, or one path of a store. */
export interface PropertySource {
  readonly name: string;
  readonly properties: Properties;
}

/** What a backend holds for a query. */
export interface BackendEnvironment {
  /** Equal revisions of equal queries hold equal sources. Never shown to callers. */
  readonly revision: string;
  /** Of the backend's content, as clients see it: a commit id; null where it has none. */
  readonly version: string | null;
  readonly state: string | null;
  /** The strongest first. */
  readonly sources: readonly PropertySource[];
}

export interface PlainFileQuery extends EnvironmentQuery {
  /** Relative, `/` between its names, each of which is checked. */
  readonly path: string;
}

export interface PlainFile {
  readonly content: Buffer;
  readonly modified: Date;
}

/**
 * A place that holds properties. Every method may be called at any time, any number at once.
 *
 * @throws BackendError BACKEND_UNAVAILABLE where it is out of reach, LABEL_UNKNOWN, SOURCE_MALFORMED
 */
export interface EnvironmentBackend {
  /** As in `config-server.backends`: `native`, `git`, `vault`, `postgres`. */
  readonly name: string;
  /** The whole environment or an error, never a part of it. */
  find(query: EnvironmentQuery): Promise<BackendEnvironment>;
  /** What `find` would say, where that is at hand; undefined where it has to be asked. */
  known?(query: EnvironmentQuery): BackendEnvironment | undefined;
  /** A file as it is; undefined where there is none to be served. Absent where the backend holds no files. */
  readFile?(query: PlainFileQuery): Promise<PlainFile | undefined>;
  /** Looks for changes at once instead of at its next turn. Absent where it looks at every request. */
  refresh?(): Promise<void>;
  close?(): Promise<void>;
}
