// Resolves placeholders by the properties of an environment, up to a maximum size.
import { resolvePlaceholders, scalarText, type Property } from '@tessera/property-sources';
import { BackendError } from '../../backends/backend-error.js';
import type { PropertySource } from '../../backends/environment-backend.js';

/** The number of characters that values may add to all texts together. */
const MAX_GROWTH = 4 * 1024 * 1024;
/** Counted for each value besides its characters, because resolving takes time. */
const VALUE_OVERHEAD = 16;

/**
 * Returns a resolver for the texts of one response, which share the maximum size. The strongest source that has a key
 * has precedence.
 * @param encode applied to each value before it is inserted
 * @throws BackendError SOURCE_MALFORMED, with the source of the value that exceeded the maximum
 */
export function placeholderResolver(
  sources: readonly PropertySource[],
  encode: (text: string) => string = (text) => text,
): (text: string) => string {
  let merged: ReadonlyMap<string, Property> | undefined;
  let remaining = MAX_GROWTH;
  const lookup: Parameters<typeof resolvePlaceholders>[1] = (key) => {
    merged ??= new Map(sources.toReversed().flatMap(({ properties }) => [...properties]));
    const property = merged.get(key);
    if (property === undefined) return undefined;
    const text = encode(scalarText(property.value));
    remaining -= VALUE_OVERHEAD + text.length;
    if (remaining < 0) throw tooLarge(key, sources);
    return property.isLiteral ? { literal: text } : text;
  };
  return (text) => resolvePlaceholders(text, lookup);
}

function tooLarge(key: string, sources: readonly PropertySource[]): BackendError {
  const name = sources.find(({ properties }) => properties.has(key))?.name;
  const reason = 'stands in so many placeholders that they come to more than 4 MiB';
  return new BackendError('SOURCE_MALFORMED', `${name}: ${key} ${reason}`);
}
