// Owns the reading of `.properties` files of settings: keys with the lines they stand on.
import { PropertySourceError, readProperties, scalarText } from '@tessera/property-sources';
import type { RawEntry } from '../raw-value.js';
import type { FileValues } from './file-values.js';

/**
 * The documents of a file, one after another (so that a later one beats an earlier one). A file with an error gives no
 * values.
 *
 * @param name the file as people know it, for origins
 */
export function parsePropertiesFile(text: string, name: string): FileValues {
  try {
    const entries = readProperties(text, name).flatMap(({ properties }) =>
      [...properties].map(([key, { value, origin }]): RawEntry => {
        return { key, value: { content: scalarText(value), origin: `${name}:${origin?.line}` } };
      }),
    );
    return { entries, problems: [] };
  } catch (error) {
    if (!(error instanceof PropertySourceError)) throw error;
    const { line, reason } = error;
    return { entries: [], problems: [{ message: reason, origin: `${name}:${line}` }] };
  }
}
