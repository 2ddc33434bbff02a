// Owns what remains of an environment when its sources are laid upon each other: one value a key, in the order in which
// the flattened forms show them.
import { NumberLiteral, type Scalar } from '@tessera/property-sources';
import type { PropertySource } from '../../backends/environment-backend.js';
import { placeholderResolver } from './placeholder-resolver.js';

/** A value for the flattened forms. */
export interface FlatValue {
  readonly value: Scalar;
  /** Set where placeholders were resolved: the text they stood in. */
  readonly template?: string;
}

export type FlatProperties = ReadonlyMap<string, FlatValue>;

/**
 * Keys stand in the order in which the weakest source that has them holds them; elements of lists follow all others. A
 * list comes from one source alone, the strongest that has any element of it.
 * @param sources the strongest first
 */
function flatten(sources: readonly PropertySource[]): Map<string, Scalar> {
  const flat = new Map<string, Scalar>();
  const lists = new Map<string, ReadonlyMap<string, Scalar>>();
  for (const { properties } of sources.toReversed()) {
    const ownLists = new Map<string, Map<string, Scalar>>();
    for (const [key, { value }] of properties) {
      const bracket = key.indexOf('[');
      if (bracket < 0) {
        flat.set(key, value);
      } else {
        const list = key.slice(0, bracket);
        const elements = ownLists.get(list) ?? new Map<string, Scalar>();
        ownLists.set(list, elements.set(key, value));
      }
    }
    for (const [list, elements] of ownLists) lists.set(list, elements);
  }
  for (const elements of lists.values()) {
    for (const [key, value] of elements) flat.set(key, value);
  }
  return flat;
}

/** Without resolving: `${…}` stays as it was written. */
export function asWritten(sources: readonly PropertySource[]): FlatProperties {
  return mapValues(flatten(sources), (value) => ({ value }));
}

/**
 * With placeholders resolved by what the same sources hold; one that they do not hold stays, or takes its default.
 * @throws BackendError SOURCE_MALFORMED where they come to too much
 */
export function withPlaceholdersResolved(sources: readonly PropertySource[]): FlatProperties {
  const resolve = placeholderResolver(sources);
  return mapValues(flatten(sources), (value) => {
    if (typeof value !== 'string' || !value.includes('${')) return { value };
    return { value: resolve(value), template: value };
  });
}

export function textOf(value: Scalar): string {
  return value instanceof NumberLiteral ? value.json : String(value);
}

function mapValues<K, V, W>(map: ReadonlyMap<K, V>, to: (value: V) => W): Map<K, W> {
  return new Map(Array.from(map, ([key, value]) => [key, to(value)]));
}
