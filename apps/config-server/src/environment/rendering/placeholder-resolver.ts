// Owns resolving placeholders by what an environment holds, and how much they may come to.
import { resolvePlaceholders, scalarText, type Property } from '@tessera/property-sources';
import { BackendError } from '../../backends/backend-error.js';
import type { PropertySource } from '../../backends/environment-backend.js';

/** Characters that values may add to all texts together. */
const MOST_GROWTH = 4 * 1024 * 1024;
/** What a value counts as beside its own characters: it takes time as well. */
const VALUE_SIZE = 16;

/**
 * For the texts of one answer, all of which share what placeholders may come to. The strongest source that has a key
 * decides.
 * @throws BackendError SOURCE_MALFORMED, naming the source of the value that was one too many
 */
export function placeholderResolver(sources: readonly PropertySource[]): (text: string) => string {
  let merged: ReadonlyMap<string, Property> | undefined;
  let left = MOST_GROWTH;
  const lookup = (key: string): string | undefined => {
    merged ??= new Map(sources.toReversed().flatMap(({ properties }) => [...properties]));
    const property = merged.get(key);
    if (property === undefined) return undefined;
    const text = scalarText(property.value);
    left -= VALUE_SIZE + text.length;
    if (left < 0) throw tooMuch(key, sources);
    return text;
  };
  return (text) => resolvePlaceholders(text, lookup);
}

function tooMuch(key: string, sources: readonly PropertySource[]): BackendError {
  const name = sources.find(({ properties }) => properties.has(key))?.name;
  const reason = 'stands in so many placeholders that they come to more than 4 MiB';
  return new BackendError('SOURCE_MALFORMED', `${name}: ${key} ${reason}`);
}
