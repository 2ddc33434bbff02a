// Owns what backends without files have in common: under which names an environment is kept in a store, in which order, and
// when two have the same content.
import { sha256 } from '@tessera/crypto';
import { NumberLiteral } from '@tessera/property-sources';
import type { EnvironmentQuery, PropertySource } from './environment-backend.js';

/** What every application is given, below what is its own. */
const EVERYONE = 'application';

/** A name under which properties may be kept. */
export interface StoredName {
  readonly application: string;
  /** Undefined for what holds in every profile. */
  readonly profile: string | undefined;
}

/** The strongest first: profiles before applications, each from the last to the first. */
export function storedNames({ applications, profiles }: EnvironmentQuery): StoredName[] {
  const own = applications.filter((name) => name !== EVERYONE);
  const names = [...new Set([EVERYONE, ...own])].toReversed();
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
