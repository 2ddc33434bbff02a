// Settings of Spring Boot, Spring Cloud Config and Apereo CAS, and what to set here instead.
import { normaliseKey } from '../closest-key.js';
import { environmentNames } from '../environment-name.js';
import { MIGRATION_ROWS } from './migration-rows.js';

export interface MigrationHint {
  /** The key or group (`sso.tls.*`) to set here instead; several are joined by `or`; a note follows a comma. */
  readonly instead?: string;
  /** The common prefix of keys that have the same hint. */
  readonly group: string;
}

/** Prefixes of keys whose environment variables only these servers use. */
const OF_SERVERS = /^(?:spring\.cloud\.(?:config|vault)|cas\.standalone)\./;

/** The number of segments after a row's key that form a group without a replacement: `cas.authn.mfa`. */
const GROUP_DEPTH = 2;

/** The hint for a key of another server; undefined if there is none. @param isKnown whether this application declares a key or group */
export function migrationHintOf(
  key: string,
  isKnown: (keyOrGroup: string) => boolean,
): MigrationHint | undefined {
  const normalised = withoutIndexes(normaliseKey(key));
  const isAtOrBelow = (there: string): boolean =>
    normalised.startsWith(there) && ['', '.', '['].includes(normalised.charAt(there.length));
  for (const { there, here } of MIGRATION_ROWS) {
    if (!isAtOrBelow(there)) continue;
    const known = here.filter((each) => isKnown(each.replace(/\.\*|,.*/, '')));
    const instead = known.filter((each) => each.includes('.')).join(' or ');
    if (instead !== '') return { instead, group: there };
    if (known.length > 0) return { group: groupOf(normalised, there) };
  }
  return undefined;
}

/** The elements of a list have the hints of the list: `cas.authn.ldap[1].base-dn`. */
function withoutIndexes(key: string): string {
  return key.replaceAll(/\[\d+\]/g, '');
}

/** The key of an environment variable of one of these servers; undefined for all other variables. */
export function keyOfVariable(variable: string): string | undefined {
  const name = variable.toUpperCase();
  const rows = MIGRATION_ROWS.filter(({ there }) => OF_SERVERS.test(there));
  for (const { there } of rows) {
    const known = environmentNames(there).find((each) => `${name}_`.startsWith(`${each}_`));
    if (known) return there + name.slice(known.length).toLowerCase().replaceAll('_', '.');
  }
  return undefined;
}

/** Elements of a list belong to the group of the list. */
function groupOf(key: string, there: string): string {
  const below = key.slice(there.length).split('.', GROUP_DEPTH + 1);
  return there + below.map((segment) => segment.replace(/\[.*$/s, '')).join('.');
}
