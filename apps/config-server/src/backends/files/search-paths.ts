// Resolves the placeholders in the search paths of a file backend, and validates search paths.
import type { Violation } from '@tessera/config';
import type { EnvironmentQuery } from '../environment-backend.js';

const PLACEHOLDER = /\{(application|profile|label)\}/g;

/**
 * The directories of search paths, in their order; each is `''` (the root) or ends in a slash. Patterns stay. A path with
 * `{label}` is skipped where the query has no label.
 *
 * @param searchPaths may hold `{application}`, `{profile}` and `{label}`
 */
export function searchedDirectories(
  searchPaths: readonly string[],
  query: EnvironmentQuery,
): string[] {
  const { profiles, applications, label } = query;
  const directories = searchPaths.map(directoryOf).flatMap((directory) =>
    profiles.flatMap((profile) =>
      applications.flatMap((application) => {
        const values = { application, profile, label };
        return expand(directory, values) ?? [];
      }),
    ),
  );
  return [...new Set(directories)];
}

/** The violations of the search paths in the settings. @param key of the setting */
export function* searchPathViolations(
  key: string,
  searchPaths: readonly string[],
): Iterable<Violation> {
  for (const [index, path] of searchPaths.entries()) {
    const violation = searchPathViolation(path);
    if (violation === undefined) continue;
    yield { key, message: `"${path}" ${violation}`, rule: `element ${index + 1} ${violation}` };
  }
}

/** The rule that a search path violates, to follow the path in a sentence; undefined where it is valid. */
export function searchPathViolation(searchPath: string): string | undefined {
  const names = searchPath.split('/');
  if (names.some((name) => /^\.[^]/.test(name))) return 'may hold no name that begins with a dot';
  if (/[{}\\]|\p{Cc}/u.test(searchPath.replace(PLACEHOLDER, ''))) {
    return 'may hold no backslash, and no placeholders but {application}, {profile} and {label}';
  }
  return undefined;
}

/** `.`, `/` and the empty path are the root; `eu`, `./eu`, `/eu` and `eu/` are the same directory. */
function directoryOf(searchPath: string): string {
  const names = searchPath.split('/').filter((name) => name !== '' && name !== '.');
  return names.map((name) => `${name}/`).join('');
}

function expand(
  directory: string,
  values: Readonly<Record<string, string | undefined>>,
): string | undefined {
  let isComplete = true;
  const result = directory.replace(PLACEHOLDER, (_written, name: string) => {
    isComplete &&= values[name] !== undefined;
    return values[name] ?? '';
  });
  return isComplete ? result : undefined;
}
