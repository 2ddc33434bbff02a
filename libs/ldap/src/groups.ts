// Finds the groups that have a user as a member, and the groups that have these as members.
import type { LdapConnection, LdapEntry } from './ldap-connection.js';
import { LdapError } from './ldap-error.js';
import type { GroupOptions } from './ldap-options.js';
import { escapeFilterValue } from './name-templates.js';

/** `1.1` asks for no attributes. @see RFC 4511 §4.5.1.8 */
const NO_ATTRIBUTES = '1.1';
/** Active Directory follows groups of groups by itself. @see MS-ADTS, LDAP_MATCHING_RULE_TRANSITIVE_EVAL */
const IN_CHAIN = ':1.2.840.113556.1.4.1941:';
const MAX_GROUPS = 1_000;
const MAX_DEPTH = 20;
const NAMES_A_SEARCH = 50;

/**
 * The groups' values in the order in which they are found, none twice.
 *
 * @param dn of the user's entry
 * @throws LdapError LDAP_REFUSED for more than 1,000 groups, or groups in groups of more than 20 levels
 */
export async function groupsOf(
  connection: LdapConnection,
  dn: string,
  options: GroupOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { base, depth, value } = options;
  const attributes = [value === 'dn' ? NO_ATTRIBUTES : value];
  const search = (filter: string): Promise<readonly LdapEntry[]> =>
    connection.search({ base, scope: 'sub', filter, attributes, isOfAll: true }, signal);
  const found = new Map<string, LdapEntry>();
  let members: readonly string[] = [dn];
  for (let level = 0; members.length > 0; level += 1) {
    if (level === MAX_DEPTH) throw tooMany(`groups in groups of more than ${MAX_DEPTH} levels`);
    const known = found.size;
    for (const filter of filtersOf(members, depth)) {
      for (const group of await search(filter)) found.set(group.dn.toLowerCase(), group);
      if (found.size > MAX_GROUPS) throw tooMany(`more than ${MAX_GROUPS} groups`);
    }
    const added = [...found.values()].slice(known);
    members = depth === 'nested' ? added.map((group) => group.dn) : [];
  }
  return [...new Set([...found.values()].flatMap((group) => valuesOf(group, value)))];
}

function filtersOf(members: readonly string[], depth: GroupOptions['depth']): readonly string[] {
  const rule = depth === 'active-directory' ? IN_CHAIN : '';
  const items = members.map((dn) => `(member${rule}=${escapeFilterValue(dn)})`);
  const filters: string[] = [];
  for (let start = 0; start < items.length; start += NAMES_A_SEARCH) {
    filters.push(`(|${items.slice(start, start + NAMES_A_SEARCH).join('')})`);
  }
  return filters;
}

function valuesOf({ dn, attributes }: LdapEntry, value: string): readonly string[] {
  if (value === 'dn') return [dn];
  const values = attributes.get(value.toLowerCase()) ?? [];
  return values.filter((each) => typeof each === 'string');
}

function tooMany(what: string): LdapError {
  return new LdapError('LDAP_REFUSED', 'The user has too many groups.', new Error(what));
}
