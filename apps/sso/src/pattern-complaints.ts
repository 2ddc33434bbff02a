// The rule for settings that hold a pattern in RE2 syntax.
import { InvalidPatternError, valuePattern } from '@tessera/services';
import type { Violation } from '@tessera/settings';

/** What makes a text no pattern. @param key of the setting that holds it */
export function* patternComplaints(key: string, pattern: string): Iterable<Violation> {
  try {
    valuePattern(pattern);
  } catch (error) {
    if (!(error instanceof InvalidPatternError)) throw error;
    yield { key, message: error.message, rule: error.rule };
  }
}
