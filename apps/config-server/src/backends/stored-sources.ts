// The names of an environment's sources in a store without files, and the revision of sources.
import { sha256 } from '@tessera/crypto';
import { NumberLiteral } from '@tessera/property-sources';
import type { EnvironmentQuery, PropertySource } from './environment-backend.js';

/** The properties that all applications share; their own are stronger. */
const SHARED = 'application';

/** A key of the store. */
export interface StoredName {
  readonly application: string;
  /** Undefined for the properties of every profile. */
  readonly profile: string | undefined;
}

/** The strongest first: profiles before applications, each from the last to the first. */
export function storedNames({ applications, profiles }: EnvironmentQuery): StoredName[] {
  const own = applications.filter((name) => name !== SHARED);
  const names = [...new Set([SHARED, ...own])].toReversed();
  return [undefined, ...new Set(profiles)]
    .toReversed()
    .flatMap((profile) => names.map((application) => ({ application, profile })));
}

/** Equal for equal sources in the same order. */
export function revisionOf(sources: readonly PropertySource[]): string {
  const content = sources.map(({ name, properties }) => [
    name,
    [...properties].map(([key, { value }]) => [
      key,
      value instanceof NumberLiteral ? { number: value.json } : value,
    ]),
  ]);
  return sha256(JSON.stringify(content));
}
