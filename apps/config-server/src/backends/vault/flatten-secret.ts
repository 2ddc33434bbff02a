// Owns how what is nested in a secret becomes flat: as YAML of the same content would.
import {
  NumberLiteral,
  type Properties,
  type Property,
  type Scalar,
} from '@tessera/property-sources';

/** No secret is deeper; what is may not take our stack. */
const MOST_LEVELS = 100;

/** `{a: {b: [1]}}` → `a.b[0]`. @throws RangeError for what is nested deeper than 100 levels */
export function flattenSecret(secret: Readonly<Record<string, unknown>>): Properties {
  const properties = new Map<string, Property>();
  for (const [key, value] of flatten('', secret, MOST_LEVELS)) properties.set(key, { value });
  return properties;
}

type Entry = readonly [key: string, value: Scalar];

function* flatten(key: string, value: unknown, levels: number): Iterable<Entry> {
  if (levels === 0) throw new RangeError(`nested deeper than ${MOST_LEVELS} levels`);
  if (isScalar(value)) {
    yield [key, value];
  } else if (value === null || (Array.isArray(value) && value.length === 0)) {
    yield [key, ''];
  } else if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      yield* flatten(`${key}[${index}]`, each, levels - 1);
    }
  } else {
    for (const [name, each] of Object.entries(value as object)) {
      yield* flatten(joined(key, name), each, levels - 1);
    }
  }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'boolean' || value instanceof NumberLiteral;
}

/** A name that is written as an index is one. */
function joined(key: string, name: string): string {
  return key === '' || name.startsWith('[') ? `${key}${name}` : `${key}.${name}`;
}
