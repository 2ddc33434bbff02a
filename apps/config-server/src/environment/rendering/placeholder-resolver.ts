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
 * @throws BackendError SOURCE_MALFORMED, with the source of the value that exceeded the maximum
 */
export function placeholderResolver(sources: readonly PropertySource[]): (text: string) => string {
  let merged: ReadonlyMap<string, Property> | undefined;
  let remaining = MAX_GROWTH;
  const lookup = (key: string): string | undefined => {
    merged ??= new Map(sources.toReversed().flatMap(({ properties }) => [...properties]));
    const property = merged.get(key);
    if (property === undefined) return undefined;
    const text = scalarText(property.value);
    remaining -= VALUE_OVERHEAD + text.length;
    if (remaining < 0) throw tooLarge(key, sources);
    return text;
  };
  return (text) => resolvePlaceholders(text, lookup);
}

function tooLarge(key: string, sources: readonly PropertySource[]): BackendError {
  const name = sources.find(({ properties }) => properties.has(key))?.name;
  const reason = 'stands in so many placeholders that they come to more than 4 MiB';
  return new BackendError('SOURCE_MALFORMED', `${name}: ${key} ${reason}`);
}
