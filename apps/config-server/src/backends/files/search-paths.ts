// Resolves the placeholders in the search paths of a file backend.
import { SEARCH_PATH_PLACEHOLDER } from '../../settings/search-path-rules.js';
import type { EnvironmentQuery } from '../environment-backend.js';

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
  const result = directory.replace(SEARCH_PATH_PLACEHOLDER, (_written, name: string) => {
    isComplete &&= values[name] !== undefined;
    return values[name] ?? '';
  });
  return isComplete ? result : undefined;
}
