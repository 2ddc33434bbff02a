// Compiles RE2 patterns within limits of size and time.
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { InvalidPatternError } from '../service-error.js';
import { countLargeSets, expandedSize } from './pattern-size.js';

/** Maximum number of instructions of a compiled pattern. The longest lists of host names stay far below. */
const MAX_PROGRAM_SIZE = 2_000;

// Larger patterns are not compiled, because that would block the event loop: at these limits it takes some 0.05 s.
const MAX_EXPANDED_SIZE = 5 * MAX_PROGRAM_SIZE;
const MAX_LARGE_SETS = 20;

/** Maximum number of steps for one text, over all patterns: program size times length. The slowest patterns take 20 ms for them. */
export const MAX_STEPS = 1_000_000;

/** @throws {InvalidPatternError} `SERVICE_INVALID` with RE2's reason, or because it is too large */
export function compilePattern(
  text: string,
  { ignoreCase }: { readonly ignoreCase: boolean },
): RE2JS {
  if (areTooLarge([text])) throw tooLarge();
  const pattern = compile(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  if (pattern.programSize() > MAX_PROGRAM_SIZE) throw tooLarge();
  return pattern;
}

/** Whether it would take too long to compile these patterns, all together. */
export function areTooLarge(patterns: readonly string[]): boolean {
  const size = patterns.reduce((sum, each) => sum + expandedSize(each), 0);
  const sets = patterns.reduce((sum, each) => sum + countLargeSets(each), 0);
  return size > MAX_EXPANDED_SIZE || sets > MAX_LARGE_SETS;
}

function tooLarge(): InvalidPatternError {
  return new InvalidPatternError('is too large a pattern: split it, or repeat less');
}

function compile(text: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(text, flags);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalidPattern(error);
  }
}

function invalidPattern(error: RE2JSException): InvalidPatternError {
  const rule = 'is not an RE2 pattern';
  if (!(error instanceof RE2JSSyntaxException)) {
    return new InvalidPatternError(rule, `${rule}: ${error.message}`, error);
  }
  const reason = `${rule}: ${error.getDescription()}`;
  const place = error.getPattern()?.replace('(?i)', '');
  return new InvalidPatternError(reason, place ? `${reason}: ${place}` : reason, error);
}

export interface ValuePattern {
  /** Whether the pattern matches the whole value, with regard to case. */
  matches(value: string): boolean;
}

/**
 * Compiles a pattern for values of attributes, such as the role of an administrator. A value that would take more than
 * {@link MAX_STEPS} never matches.
 *
 * @throws {ServiceError} `SERVICE_INVALID`, with a message to follow the name of the setting
 */
export function valuePattern(text: string): ValuePattern {
  const pattern = compilePattern(text, { ignoreCase: false });
  return {
    matches: (value) =>
      pattern.programSize() * value.length <= MAX_STEPS && pattern.matcher(value).matches(),
  };
}
