// Reads `.properties` files with the line number of each key.
import {
  isActive,
  PropertySourceError,
  readProperties,
  scalarText,
} from '@tessera/property-sources';
import type { RawEntry } from '../raw-value.js';
import type { ParsedSettingsFile } from './file-contents.js';

/**
 * Of several documents in it, a later one overrides an earlier one; one of other profiles does not count. A file with an
 * error has no entries.
 *
 * @param name the file name, for origins
 */
export function parsePropertiesFile(
  text: string,
  name: string,
  profiles: readonly string[] = [],
): ParsedSettingsFile {
  try {
    const documents = readProperties(text, name).filter((each) => isActive(each, profiles));
    const entries = documents.flatMap(({ properties }) =>
      [...properties].map(([key, { value, origin }]): RawEntry => {
        return { key, value: { content: scalarText(value), origin: `${name}:${origin?.line}` } };
      }),
    );
    return { entries, violations: [] };
  } catch (error) {
    if (!(error instanceof PropertySourceError)) throw error;
    const { line, reason } = error;
    return { entries: [], violations: [{ message: reason, origin: `${name}:${line}` }] };
  }
}
