// Owns which files may answer a query, and which of them beats which. Whether there are such files is the tree's to say.
import { BackendError } from '../backend-error.js';
import type { EnvironmentQuery, PlainFileQuery } from '../environment-backend.js';
import { searchedDirectories } from './search-paths.js';

/** What every application is given, below what is its own. */
const EVERYONE = 'application';
/** The strongest first. */
const EXTENSIONS = ['properties', 'yml', 'yaml'] as const;

/** Each is looked for. Search paths with placeholders multiply them. */
const MOST_FILES = 4096;

/** A file that may be there. */
export interface CandidateFile {
  /** Relative to the root of the tree. */
  readonly path: string;
  /** The directory that is searched, `''` or ending in a slash. */
  readonly directory: string;
}

/**
 * The files of an environment, the strongest first: profiles before directories, directories before applications, each from
 * the last to the first, and extensions last of all, as Spring Boot 3.5 orders them.
 *
 * @throws BackendError QUERY_TOO_WIDE where they are more than 4,096
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
  const own = query.applications.filter((name) => name !== EVERYONE);
  const names = [...new Set([EVERYONE, ...own])].toReversed();
  refuseMany(suffixes.length * directories.length * names.length * EXTENSIONS.length);
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
 * The paths of a plain file, the first found being the one. Unlike in an environment the first directory and the first profile
 * win: that is what Spring Cloud Config 4.3 does.
 *
 * @throws BackendError QUERY_TOO_WIDE where they are more than 4,096
 */
export function plainFiles(searchPaths: readonly string[], query: PlainFileQuery): string[] {
  const ofProfiles = query.profiles
    .filter((profile) => profile !== 'default')
    .map((profile) => withSuffix(query.path, `-${profile}`));
  const names = [...new Set([...ofProfiles, query.path])];
  const directories = searchedDirectories(searchPaths, query);
  refuseMany(directories.length * names.length);
  return directories.flatMap((directory) => names.map((name) => `${directory}${name}`));
}

function refuseMany(files: number): void {
  if (files <= MOST_FILES) return;
  const message =
    'the path names so many applications and profiles that too many files could be meant';
  throw new BackendError('QUERY_TOO_WIDE', message);
}

/** `etc/nginx.conf` with `-prod` is `etc/nginx-prod.conf`. */
function withSuffix(path: string, suffix: string): string {
  const dot = path.lastIndexOf('.');
  const end = dot > path.lastIndexOf('/') ? dot : path.length;
  return `${path.slice(0, end)}${suffix}${path.slice(end)}`;
}
