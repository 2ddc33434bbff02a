// Lists the paths of the files that a query can match, in order of precedence.
import { BackendError } from '../backend-error.js';
import type { EnvironmentQuery, PlainFileQuery } from '../environment-backend.js';
import type { SearchedDirectory } from './directory-patterns.js';

/** The properties that all applications share; their own are stronger. */
const SHARED = 'application';
/** The strongest first. */
const EXTENSIONS = ['properties', 'xml', 'yml', 'yaml'] as const;

/** Of paths to look up. Search paths multiply them. */
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
 * each from the last to the first, then by extension. A file of two names (`application-dev` is an application, and
 * `application` in profile `dev`) has the place of the weaker one.
 *
 * @throws BackendError QUERY_TOO_WIDE for more than 4,096 files
 * @see https://docs.spring.io/spring-boot/reference/features/external-config.html#features.external-config.files.profile-specific
 */
export function environmentFiles(
  directories: readonly SearchedDirectory[],
  query: EnvironmentQuery,
): CandidateFile[] {
  const suffixes = [
    '',
    ...[...new Set(query.profiles)].map((profile) => `-${profile}`),
  ].toReversed();
  const own = query.applications.filter((name) => name !== SHARED);
  const names = [...new Set([SHARED, ...own])].toReversed();
  const groups = suffixes.map((suffix) =>
    names.flatMap((name) => EXTENSIONS.map((extension) => `${name}${suffix}.${extension}`)),
  );
  const wanted = withWantedFiles(directories.toReversed(), new Set(groups.flat()));
  const files = groups.flatMap((group) =>
    wanted.flatMap(({ path: directory, files: existing }) => {
      const found = existing ? group.filter((name) => existing.has(name)) : group;
      return found.map((name) => ({ path: `${directory}${name}`, directory }));
    }),
  );
  const last = new Map(files.map((file, index) => [file.path, index]));
  return files.filter((file, index) => last.get(file.path) === index);
}

/** Without the directories of patterns that hold none of the files. */
function withWantedFiles(
  directories: readonly SearchedDirectory[],
  names: ReadonlySet<string>,
): SearchedDirectory[] {
  let count = 0;
  const wanted = directories.flatMap(({ path, files: existing }) => {
    const files = existing && new Set([...existing].filter((name) => names.has(name)));
    count += files?.size ?? names.size;
    return files?.size === 0 ? [] : [{ path, ...(files && { files }) }];
  });
  checkCount(count);
  return wanted;
}

/**
 * The paths of a plain file; the first that exists is served. Unlike in an environment, the first directory and the first
 * profile win, as in Spring Cloud Config 4.3.
 *
 * @throws BackendError QUERY_TOO_WIDE for more than 4,096 paths
 */
export function plainFiles(
  directories: readonly SearchedDirectory[],
  query: PlainFileQuery,
): string[] {
  const ofProfiles = query.profiles
    .filter((profile) => profile !== 'default')
    .map((profile) => withSuffix(query.path, `-${profile}`));
  const names = [...new Set([...ofProfiles, query.path])];
  checkCount(directories.length * names.length);
  return directories.flatMap(({ path }) => names.map((name) => `${path}${name}`));
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
