// Validates the names in a path: applications, profiles, labels and files. No valid name leads a backend out of its root.
import { EnvironmentError } from '../errors/environment-error.js';

/** A name between separators. No leading dot: this excludes `.`, `..` and hidden files. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
/** Stands for a slash within a name. */
const SLASH = '(_)';
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const FORBIDDEN_IN_FILES = /[\u0000-\u001f\u007f-\u009f\\/%;]/;
const MAX_NAMES = 32;
/** Backends look for each profile of each application. */
const MAX_PAIRS = 128;

/**
 * Decodes a segment once.
 * @throws EnvironmentError PATH_MALFORMED if it is not well-formed percent-encoded UTF-8
 */
export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw malformed('the path is not well-formed percent-encoded UTF-8');
  }
}

/** Splits application names at commas. @throws EnvironmentError PATH_MALFORMED */
export function applicationNames(decoded: string): readonly string[] {
  return namesIn(decoded, 'application', isNameWithSlashes).map(withSlashes);
}

/** Splits profile names at commas. @throws EnvironmentError PATH_MALFORMED */
export function profileNames(decoded: string): readonly string[] {
  return namesIn(decoded, 'profile', isName);
}

/** @throws EnvironmentError PATH_MALFORMED for more than 128 pairs, whose lookup would take too long */
export function checkPairCount(applications: readonly string[], profiles: readonly string[]): void {
  if (applications.length * profiles.length <= MAX_PAIRS) return;
  throw malformed(`the path has more than ${MAX_PAIRS} pairs of application and profile`);
}

/** @throws EnvironmentError PATH_MALFORMED */
export function labelName(decoded: string): string {
  return namesIn(decoded, 'label', isNameWithSlashes).map(withSlashes).join(',');
}

/**
 * Joins decoded segments to the path of a file.
 * @throws EnvironmentError PATH_MALFORMED for an invalid file name; FILE_UNKNOWN for a hidden file, which is never served
 */
export function filePath(decoded: readonly string[]): string {
  for (const segment of decoded) {
    if (segment === '.' || segment.includes('..') || FORBIDDEN_IN_FILES.test(segment)) {
      throw invalidName('file');
    }
    if (segment.startsWith('.')) {
      throw new EnvironmentError('FILE_UNKNOWN', 'there is no such file');
    }
  }
  return decoded.join('/');
}

function namesIn(
  decoded: string,
  kind: string,
  isValid: (name: string) => boolean,
): readonly string[] {
  const names = decoded.split(',');
  if (!names.every(isValid)) throw invalidName(kind);
  if (names.length > MAX_NAMES) throw malformed(`the path has more than ${MAX_NAMES} ${kind}s`);
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

function invalidName(kind: string): EnvironmentError {
  return malformed(`the ${kind} in the path is not a name of letters, digits, '.', '_' and '-'`);
}

function malformed(message: string): EnvironmentError {
  return new EnvironmentError('PATH_MALFORMED', message);
}
