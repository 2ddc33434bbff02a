// Owns how a value of a secret is handed over to the settings: as parsed JSON, with numbers as they were written.
import { NumberLiteral } from '@tessera/property-sources';

/** No setting is deeper; what is may not take our stack. */
const MOST_LEVELS = 100;

/** @throws RangeError for what is nested deeper than 100 levels */
export function plainValue(value: unknown, levels = MOST_LEVELS): unknown {
  if (value instanceof NumberLiteral) return value.json;
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) throw new RangeError(`nested deeper than ${MOST_LEVELS} levels`);
  if (Array.isArray(value)) return value.map((element) => plainValue(element, levels - 1));
  const entries = Object.entries(value).map(([name, each]) => [name, plainValue(each, levels - 1)]);
  return Object.fromEntries(entries);
}
