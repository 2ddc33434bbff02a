// Owns what an environment says in terms of settings: keys with their origins, and those that the server could not decrypt.
import type { SourceResult } from '@tessera/settings';
import { nestedProperties } from './nested-properties.js';
import type { ServedEnvironment, ServedSource } from './served-environment.js';

const INVALID = 'invalid.';
const NOT_AVAILABLE = '<n/a>';
const LONGEST_NAME = 200;

/** @param server its URL, for people */
export function environmentValues(environment: ServedEnvironment, server: string): SourceResult {
  const originOf = ({ name }: ServedSource): string => `config server ${server} (${shown(name)})`;
  return {
    // Of a key given twice the later value counts.
    values: environment.toReversed().flatMap((source) => {
      const properties = Array.from(source.properties).filter((each) => !isInvalid(each));
      const facts = { origin: originOf(source), ...(isOfVault(source) && { isProtected: true }) };
      return nestedProperties(properties).map(({ key, value }) => ({ key, value, ...facts }));
    }),
    problems: invalidKeys(environment).map(([key, source]) => ({
      key: key.replace(/\[.*$/s, ''),
      message: 'cannot be decrypted by the config server, whose log says more',
      origin: originOf(source),
    })),
  };
}

/** As our config server and Spring's name the secrets that their Vault backend serves. */
function isOfVault({ name }: ServedSource): boolean {
  return name.startsWith('vault:');
}

/** Those that no stronger source gives a value to. */
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

/** The server's sign for a protected value that it has no key for. */
function isInvalid([key, value]: readonly [string, unknown]): boolean {
  return key.startsWith(INVALID) && value === NOT_AVAILABLE;
}

/** Names of sources are the server's: they may hold the address of a repository with a password in it. */
function shown(name: string): string {
  const line = name
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\u{FFFD}')
    .replaceAll(/\/\/[^/\s]*@/g, '//');
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME)}…` : line;
}
