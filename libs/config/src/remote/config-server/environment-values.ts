// Converts an environment to settings: keys with their origins, and violations for values that the server cannot decrypt.
import type { SourceResult } from '../../settings/index.js';
import { nestedProperties } from './nested-properties.js';
import type { ServedEnvironment, ServedSource } from './served-environment.js';

const INVALID = 'invalid.';
const NOT_AVAILABLE = '<n/a>';
const MAX_NAME_LENGTH = 200;

/** @param server its URL, for origins */
export function environmentValues(environment: ServedEnvironment, server: string): SourceResult {
  const originOf = ({ name }: ServedSource): string =>
    `config server ${server} (${displayName(name)})`;
  return {
    // If a key is given twice, the later value wins.
    values: environment.toReversed().flatMap((source) => {
      const properties = Array.from(source.properties).filter((each) => !isInvalid(each));
      const facts = { origin: originOf(source), ...(isOfVault(source) && { isProtected: true }) };
      return nestedProperties(properties).map(({ key, value }) => ({ key, value, ...facts }));
    }),
    violations: invalidKeys(environment).map(([key, source]) => ({
      key: key.replace(/\[.*$/s, ''),
      message: 'cannot be decrypted by the config server: see its log',
      origin: originOf(source),
    })),
  };
}

/** Our config server and Spring's use this prefix for sources of their Vault backend. */
function isOfVault({ name }: ServedSource): boolean {
  return name.startsWith('vault:');
}

/** Invalid keys that no stronger source overrides. */
function invalidKeys(environment: ServedEnvironment): [key: string, source: ServedSource][] {
  const invalid: [string, ServedSource][] = [];
  const given = new Set<string>();
  for (const source of environment) {
    for (const property of source.properties) {
      const [name] = property;
      const key = isInvalid(property) ? name.slice(INVALID.length) : name;
      if (key !== name && !given.has(key)) invalid.push([key, source]);
      given.add(key);
    }
  }
  return invalid;
}

/** The server's marker for a value that it cannot decrypt. */
function isInvalid([key, value]: readonly [string, unknown]): boolean {
  return key.startsWith(INVALID) && value === NOT_AVAILABLE;
}

/** Escapes the name of a source, and removes credentials from a repository URL in it. */
function displayName(name: string): string {
  const line = name
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\u{FFFD}')
    .replaceAll(/\/\/[^/\s]*@/g, '//');
  return line.length > MAX_NAME_LENGTH ? `${line.slice(0, MAX_NAME_LENGTH)}…` : line;
}
