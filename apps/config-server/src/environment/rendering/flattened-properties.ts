// Owns the flattened form `.properties`: `key: value` lines without escapes, as existing clients read them.
import { textOf, type FlatProperties } from './flat-properties.js';

/** Without a newline at the end; a value of several lines is several lines. */
export function flattenedProperties(properties: FlatProperties): string {
  return Array.from(properties, ([key, { value }]) => `${key}: ${textOf(value)}`).join('\n');
}
