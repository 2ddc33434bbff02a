// Lists the paths of the files that a query can match, in order of precedence.
import { BackendError } from '../backend-error.js';
import type { EnvironmentQuery, PlainFileQuery } from '../environment-backend.js';
import { searchedDirectories } from './search-paths.js';

/** The properties that all applications share; their own are stronger. */
const SHARED = 'application';
/** The strongest first. */
const EXTENSIONS = ['properties', 'yml', 'yaml'] as const;

/** Of paths to look up. Placeholders in search paths multiply them. */
const MAX_FILES = 4096;

/** A file that may exist. */
export interface CandidateFile {
  /** Relative to the root of the tree. */
  readonly path: string;
  /** The searched directory: `''`, or ending in a slash. */
  readonly directory: string;
}

/**
 * The files of an environment, the strongest first, in the order of Spring Boot 3.5: by profile, directory and application,
 * each from the last to the first, then by extension.
 *
 * @throws BackendError QUERY_TOO_WIDE for more than 4,096 files
 * @see https://docs.spring.io/spring-boot/reference/features/external-config.html#features.external-config.files.profile-specific
 */
export function environmentFiles(
  searchPaths: readonly string[],
  query: EnvironmentQuery,
): CandidateFile[] {
  const suffixes = [
    '',
    ...[...new Set(query.profiles)].map((profile) => `-${profile}`),
  ].toReversed();
  const directories = searchedDirectories(searchPaths, query).toReversed();
  const own = query.applications.filter((name) => name !== SHARED);
  const names = [...new Set([SHARED, ...own])].toReversed();
  checkCount(suffixes.length * directories.length * names.length * EXTENSIONS.length);
  return suffixes.flatMap((suffix) =>
    directories.flatMap((directory) =>
      names.flatMap((name) =>
        EXTENSIONS.map((extension) => ({
          path: `${directory}${name}${suffix}.${extension}`,
          directory,
        })),
      ),
    ),
  );
}

/**
 * The paths of a plain file; the first that exists is served. Unlike in an environment, the first directory and the first
 * profile win, as in Spring Cloud Config 4.3.
 *
 * @throws BackendError QUERY_TOO_WIDE for more than 4,096 paths
 */
export function plainFiles(searchPaths: readonly string[], query: PlainFileQuery): string[] {
  const ofProfiles = query.profiles
    .filter((profile) => profile !== 'default')
    .map((profile) => withSuffix(query.path, `-${profile}`));
  const names = [...new Set([...ofProfiles, query.path])];
  const directories = searchedDirectories(searchPaths, query);
  checkCount(directories.length * names.length);
  return directories.flatMap((directory) => names.map((name) => `${directory}${name}`));
}

function checkCount(files: number): void {
  if (files <= MAX_FILES) return;
  const message =
    'the path names so many applications and profiles that too many files could be meant';
  throw new BackendError('QUERY_TOO_WIDE', message);
}

/** `etc/nginx.conf` with `-prod` becomes `etc/nginx-prod.conf`. */
function withSuffix(path: string, suffix: string): string {
  const dot = path.lastIndexOf('.');
  const end = dot > path.lastIndexOf('/') ? dot : path.length;
  return `${path.slice(0, end)}${suffix}${path.slice(end)}`;
}
