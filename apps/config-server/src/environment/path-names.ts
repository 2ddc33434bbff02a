// Owns which names may stand in a path: of applications, profiles, labels and files. Nothing that could lead a backend out
// of its place passes here.
import { EnvironmentError } from './environment-error.js';

/** A name between separators: no dot in front, so that `.`, `..` and hidden files are none. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
/** What a slash is written as where it belongs to a name. */
const SLASH = '(_)';
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNFIT_FOR_FILES = /[\u0000-\u001f\u007f-\u009f\\/%;]/;
const MOST_NAMES = 32;
/** Backends look for each profile of each application. */
const MOST_PAIRS = 128;

/**
 * The segment after its one decoding.
 * @throws EnvironmentError PATH_MALFORMED where it is not well-formed percent-encoded UTF-8
 */
export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw malformed('the path is not well-formed percent-encoded UTF-8');
  }
}

/** Applications, with commas between them. @throws EnvironmentError PATH_MALFORMED */
export function applicationNames(decoded: string): readonly string[] {
  return namesIn(decoded, 'application', isNameWithSlashes).map(withSlashes);
}

/** Profiles, with commas between them. @throws EnvironmentError PATH_MALFORMED */
export function profileNames(decoded: string): readonly string[] {
  return namesIn(decoded, 'profile', isName);
}

/** @throws EnvironmentError PATH_MALFORMED where so many profiles of so many applications would take too long */
export function refuseManyPairs(
  applications: readonly string[],
  profiles: readonly string[],
): void {
  if (applications.length * profiles.length <= MOST_PAIRS) return;
  throw malformed(`the path has more than ${MOST_PAIRS} pairs of application and profile`);
}

/** @throws EnvironmentError PATH_MALFORMED */
export function labelName(decoded: string): string {
  return namesIn(decoded, 'label', isNameWithSlashes).map(withSlashes).join(',');
}

/**
 * The path of a file from its decoded segments.
 * @throws EnvironmentError PATH_MALFORMED for what no file may be called; FILE_UNKNOWN for hidden ones, which are never
 *   served
 */
export function filePath(decoded: readonly string[]): string {
  for (const segment of decoded) {
    if (segment === '.' || segment.includes('..') || UNFIT_FOR_FILES.test(segment)) {
      throw unfit('file');
    }
    if (segment.startsWith('.')) {
      throw new EnvironmentError('FILE_UNKNOWN', 'there is no such file');
    }
  }
  return decoded.join('/');
}

function namesIn(
  decoded: string,
  what: string,
  isFit: (name: string) => boolean,
): readonly string[] {
  const names = decoded.split(',');
  if (!names.every(isFit)) throw unfit(what);
  if (names.length > MOST_NAMES) throw malformed(`the path has more than ${MOST_NAMES} ${what}s`);
  return names;
}

function isName(text: string): boolean {
  return NAME.test(text) && !text.includes('..');
}

function isNameWithSlashes(text: string): boolean {
  return text.split(SLASH).every(isName);
}

function withSlashes(name: string): string {
  return name.replaceAll(SLASH, '/');
}

function unfit(what: string): EnvironmentError {
  return malformed(`the ${what} in the path is not a name of letters, digits, '.', '_' and '-'`);
}

function malformed(message: string): EnvironmentError {
  return new EnvironmentError('PATH_MALFORMED', message);
}
