// A pattern for values of attributes, such as the role that an administrator must have. RE2 decides.
import { compilePattern } from './compiled-pattern.js';
import { MAX_STEPS } from './service-pattern.js';

export interface ValuePattern {
  /** Whether the pattern matches the whole value; upper and lower case differ. */
  matches(value: string): boolean;
}

/**
 * Reads a pattern. A value that is so long that matching it would hold up other work matches nothing.
 *
 * @throws {ServiceError} `SERVICE_INVALID`; the message reads on after the name of what holds the pattern
 */
export function valuePattern(text: string): ValuePattern {
  const pattern = compilePattern(text, { ignoreCase: false });
  return {
    matches: (value) =>
      pattern.programSize() * value.length <= MAX_STEPS && pattern.matcher(value).matches(),
  };
}
