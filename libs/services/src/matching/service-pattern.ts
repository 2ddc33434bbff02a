// One pattern of a service and what it matches. RE2 decides.
import { compilePattern } from './compiled-pattern.js';
import { isListed, listedTexts } from './text-list.js';

/** Longer service URLs match nothing. */
export const MAX_URL_LENGTH = 8_192;

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
  const pattern = compilePattern(text, { ignoreCase: true });
  return {
    cost: (length) => pattern.programSize() * length,
    // A Matcher rather than testExact, whose automaton takes 20 kB a pattern and 0.1 ms to start.
    matches: (url) => pattern.matcher(url).matches(),
  };
}
