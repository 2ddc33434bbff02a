// Merges the sources of an environment to one value for each key, for the flattened forms; writes the form `.properties`.
import { NumberLiteral, type Scalar } from '@tessera/property-sources';
import type { PropertySource } from '../../backends/environment-backend.js';
import { placeholderResolver } from './placeholder-resolver.js';

export interface FlatValue {
  readonly value: Scalar;
  /** The text before its placeholders were resolved; absent if there were none. */
  readonly template?: string;
}

/** In the order of the flattened forms. */
export type FlatProperties = ReadonlyMap<string, FlatValue>;

/** The merged properties with their placeholders: `${…}` stays as written. */
export function flatProperties(sources: readonly PropertySource[]): FlatProperties {
  return mapValues(merge(sources), (value) => ({ value }));
}

/**
 * The merged properties with placeholders resolved by the same sources. One without a value takes its default, or stays.
 * @throws BackendError SOURCE_MALFORMED if the resolved values are too large
 */
export function resolvedFlatProperties(sources: readonly PropertySource[]): FlatProperties {
  const resolve = placeholderResolver(sources);
  return mapValues(merge(sources), (value) => {
    if (typeof value !== 'string' || !value.includes('${')) return { value };
    return { value: resolve(value), template: value };
  });
}

/**
 * The flattened form `.properties`: `key: value` lines, not escaped, as existing clients read them. A value of several
 * lines takes several lines; there is no newline at the end.
 */
export function flattenedProperties(properties: FlatProperties): string {
  return Array.from(properties, ([key, { value }]) => `${key}: ${textOf(value)}`).join('\n');
}

export function textOf(value: Scalar): string {
  return value instanceof NumberLiteral ? value.json : String(value);
}

/**
 * A key takes its position from the weakest source that has it; elements of lists follow all others. A list comes from
 * one source alone, the strongest that has any element of it.
 * @param sources the strongest first
 */
function merge(sources: readonly PropertySource[]): Map<string, Scalar> {
  const merged = new Map<string, Scalar>();
  const lists = new Map<string, ReadonlyMap<string, Scalar>>();
  for (const { properties } of sources.toReversed()) {
    const ownLists = new Map<string, Map<string, Scalar>>();
    for (const [key, { value }] of properties) {
      const bracket = key.indexOf('[');
      if (bracket < 0) {
        merged.set(key, value);
      } else {
        const list = key.slice(0, bracket);
        const elements = ownLists.get(list) ?? new Map<string, Scalar>();
        ownLists.set(list, elements.set(key, value));
      }
    }
    for (const [list, elements] of ownLists) lists.set(list, elements);
  }
  for (const elements of lists.values()) {
    for (const [key, value] of elements) merged.set(key, value);
  }
  return merged;
}

function mapValues<K, V, W>(map: ReadonlyMap<K, V>, to: (value: V) => W): Map<K, W> {
  return new Map(Array.from(map, ([key, value]) => [key, to(value)]));
}
