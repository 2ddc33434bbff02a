// Owns in which directories of a tree a query looks. What it looks for there is not known here.
import type { Violation } from '@tessera/settings';
import type { EnvironmentQuery } from '../environment-backend.js';

const PLACEHOLDER = /\{(application|profile|label)\}/g;

/**
 * The directories that search paths stand for, each either `''`, the root, or ending in a slash. They are in the order of the
 * search paths; a path without the label it asks for stands for none.
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
        return expanded(directory, values) ?? [];
      }),
    ),
  );
  return [...new Set(directories)];
}

/** What is wrong with search paths as they are written in the settings. @param key of the setting */
export function* searchPathComplaints(
  key: string,
  searchPaths: readonly string[],
): Iterable<Violation> {
  for (const [index, path] of searchPaths.entries()) {
    const fault = searchPathFault(path);
    if (fault === undefined) continue;
    yield { key, message: `"${path}" ${fault}`, rule: `element ${index + 1} ${fault}` };
  }
}

/** What is wrong with one of them: reads on from the path. */
export function searchPathFault(searchPath: string): string | undefined {
  const names = searchPath.split('/');
  if (searchPath.startsWith('/')) return 'must be relative';
  if (names.some((name) => /^\.[^]/.test(name))) return 'may hold no name that begins with a dot';
  if (/[{}*?\\]|\p{Cc}/u.test(searchPath.replace(PLACEHOLDER, ''))) {
    return 'may hold no patterns, and no placeholders but {application}, {profile} and {label}';
  }
  return undefined;
}

/** `.`, `./` and `` are the root; `eu`, `./eu` and `eu/` one directory. */
function directoryOf(searchPath: string): string {
  const names = searchPath.split('/').filter((name) => name !== '' && name !== '.');
  return names.map((name) => `${name}/`).join('');
}

function expanded(
  directory: string,
  values: Readonly<Record<string, string | undefined>>,
): string | undefined {
  let isWhole = true;
  const result = directory.replace(PLACEHOLDER, (_written, name: string) => {
    isWhole &&= values[name] !== undefined;
    return values[name] ?? '';
  });
  return isWhole ? result : undefined;
}
