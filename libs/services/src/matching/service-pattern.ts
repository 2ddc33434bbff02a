// One pattern of a service: what it matches, and what makes a text no pattern at all. RE2 decides.
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { ServiceError } from '../service-error.js';
import { isListed, listedTexts } from './text-list.js';

/** Longer service URLs match nothing. */
export const MAX_URL_LENGTH = 8_192;

/** Instructions of a compiled pattern; the longest lists of host names stay far below. */
const MAX_PROGRAM_SIZE = 2_000;
/** For one URL, over all patterns: program size times length. The slowest pattern found takes 30 ns a step. */
export const MAX_STEPS = 3_000_000;

export interface ServicePattern {
  /** What matching a URL of this length costs at most, in steps of RE2. */
  cost(length: number): number;
  /**
   * Whether the pattern matches the whole URL, upper and lower case alike. `folded` is the URL after
   * `foldCase`.
   */
  matches(url: string, folded: string): boolean;
}

/**
 * Reads a pattern.
 *
 * @throws {ServiceError} `SERVICE_INVALID` with RE2's reason, or because it is too large
 */
export function servicePattern(text: string): ServicePattern {
  const texts = listedTexts(text);
  if (texts !== undefined) {
    return { cost: () => 0, matches: (_, folded) => isListed(texts, folded) };
  }
  const pattern = compile(text);
  return {
    cost: (length) => pattern.programSize() * length,
    // A Matcher rather than testExact, whose automaton takes 20 kB a pattern and 0.1 ms to start.
    matches: (url) => pattern.matcher(url).matches(),
  };
}

function compile(text: string): RE2JS {
  const pattern = parse(text);
  if (pattern.programSize() > MAX_PROGRAM_SIZE) {
    throw new ServiceError('SERVICE_INVALID', 'is too large a pattern: split it, or repeat less');
  }
  return pattern;
}

function parse(text: string): RE2JS {
  try {
    return RE2JS.compile(text, RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new ServiceError('SERVICE_INVALID', `is not an RE2 pattern: ${reasonOf(error)}`, error);
  }
}

function reasonOf(error: RE2JSException): string {
  if (!(error instanceof RE2JSSyntaxException)) return error.message;
  const place = error.getPattern()?.replace('(?i)', '');
  return place ? `${error.getDescription()}: ${place}` : error.getDescription();
}
