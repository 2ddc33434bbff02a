// Compiles RE2 patterns, and says what makes a text no pattern at all. What is matched is not decided here.
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { InvalidPatternError } from '../service-error.js';
import { largeSets, writtenOutSize } from './pattern-extent.js';

/** Instructions of a compiled pattern; the longest lists of host names stay far below. */
const MAX_PROGRAM_SIZE = 2_000;

// What is larger before RE2 merges anything is not compiled at all, because that would hold up other
// work: at these limits it takes some 0.05 seconds.
const MAX_WRITTEN_OUT_SIZE = 5 * MAX_PROGRAM_SIZE;
const MAX_LARGE_SETS = 20;

/** @throws {InvalidPatternError} `SERVICE_INVALID` with RE2's reason, or because it is too large */
export function compilePattern(
  text: string,
  { ignoreCase }: { readonly ignoreCase: boolean },
): RE2JS {
  if (writtenOutSize(text) > MAX_WRITTEN_OUT_SIZE || largeSets(text) > MAX_LARGE_SETS) {
    throw tooLarge();
  }
  const pattern = parse(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  if (pattern.programSize() > MAX_PROGRAM_SIZE) throw tooLarge();
  return pattern;
}

function tooLarge(): InvalidPatternError {
  return new InvalidPatternError('is too large a pattern: split it, or repeat less');
}

function parse(text: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(text, flags);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalid(error);
  }
}

function invalid(error: RE2JSException): InvalidPatternError {
  const rule = 'is not an RE2 pattern';
  if (!(error instanceof RE2JSSyntaxException)) {
    return new InvalidPatternError(rule, `${rule}: ${error.message}`, error);
  }
  const reason = `${rule}: ${error.getDescription()}`;
  const place = error.getPattern()?.replace('(?i)', '');
  return new InvalidPatternError(reason, place ? `${reason}: ${place}` : reason, error);
}
