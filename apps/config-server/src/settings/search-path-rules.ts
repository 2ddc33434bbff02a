// The rules for the search paths of file backends.
import type { Violation } from '@tessera/config';

export const SEARCH_PATH_PLACEHOLDER = /\{(application|profile|label)\}/g;

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
  if (/[{}\\]|\p{Cc}/u.test(searchPath.replace(SEARCH_PATH_PLACEHOLDER, ''))) {
    return 'may hold no backslash, and no placeholders but {application}, {profile} and {label}';
  }
  return undefined;
}
