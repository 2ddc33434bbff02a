// Merges the sources of an environment to one value for each key, for the flattened forms; writes the form `.properties`.
import { scalarText, type Property, type Scalar } from '@tessera/property-sources';
import type { PropertySource } from '../../backends/environment-backend.js';
import { placeholderResolver } from './placeholder-resolver.js';

export interface FlatValue {
  readonly value: Scalar;
  /** The number or boolean that the text was a placeholder for: the form `.yml` keeps its type. */
  readonly typed?: Exclude<Scalar, string>;
}

/** A text that is one placeholder without a default. */
const WHOLE = /^\$\{([^${}:\\]+)\}$/;

/** Of placeholders for placeholders. */
const MAX_DEPTH = 50;

/** In the order of the flattened forms. */
export type FlatProperties = ReadonlyMap<string, FlatValue>;

/** The merged properties with their placeholders: `${…}` stays as written. */
export function flatProperties(sources: readonly PropertySource[]): FlatProperties {
  return mapValues(merge(sources), ({ value }) => ({ value }));
}

/**
 * The merged properties with placeholders resolved by the same sources. One without a value takes its default, or stays.
 * @throws BackendError SOURCE_MALFORMED if the resolved values are too large
 */
export function resolvedFlatProperties(sources: readonly PropertySource[]): FlatProperties {
  const resolve = placeholderResolver(sources);
  const merged = merge(sources);
  return mapValues(merged, (property) => {
    const { value, isLiteral } = property;
    if (typeof value !== 'string' || isLiteral || !value.includes('${')) return { value };
    const target = targetOf(property, merged)?.value ?? value;
    return { value: resolve(value), ...(typeof target !== 'string' && { typed: target }) };
  });
}

/** Follows texts that are one placeholder each. */
function targetOf(
  property: Property,
  properties: ReadonlyMap<string, Property>,
): Property | undefined {
  let target: Property | undefined = property;
  for (let depth = 0; depth < MAX_DEPTH && target?.isLiteral !== true; depth += 1) {
    if (typeof target?.value !== 'string') return target;
    target = properties.get(WHOLE.exec(target.value)?.[1] ?? '');
  }
  return undefined;
}

/**
 * The flattened form `.properties`: `key: value` lines, not escaped, as existing clients read them. A value of several
 * lines takes several lines; there is no newline at the end.
 */
export function flattenedProperties(properties: FlatProperties): string {
  return Array.from(properties, ([key, { value }]) => `${key}: ${scalarText(value)}`).join('\n');
}

/**
 * A key takes its position from the weakest source that has it; elements of lists follow all others. A list comes from
 * one source alone, the strongest that has any element of it.
 * @param sources the strongest first
 */
function merge(sources: readonly PropertySource[]): Map<string, Property> {
  const merged = new Map<string, Property>();
  const lists = new Map<string, ReadonlyMap<string, Property>>();
  for (const { properties } of sources.toReversed()) {
    const ownLists = new Map<string, Map<string, Property>>();
    for (const [key, property] of properties) {
      const bracket = key.indexOf('[');
      if (bracket < 0) {
        merged.set(key, property);
      } else {
        const list = key.slice(0, bracket);
        const elements = ownLists.get(list) ?? new Map<string, Property>();
        ownLists.set(list, elements.set(key, property));
      }
    }
    for (const [list, elements] of ownLists) lists.set(list, elements);
  }
  for (const elements of lists.values()) {
    for (const [key, property] of elements) merged.set(key, property);
  }
  return merged;
}

function mapValues<K, V, W>(map: ReadonlyMap<K, V>, to: (value: V) => W): Map<K, W> {
  return new Map(Array.from(map, ([key, value]) => [key, to(value)]));
}
