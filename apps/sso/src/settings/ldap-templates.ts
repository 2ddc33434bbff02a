// Owns what may be written as a filter or as a name of an entry in the settings of LDAP. It loads nothing of LDAP:
// settings are checked whether or not a directory is used.

const PLACE = '{username}';
const OLDER_PLACE = '{0}';

/** One comparison. Bytes beyond ASCII are written as the letters they are, not as `\c3\bc`. */
const ITEM =
  /\((?<attribute>[A-Za-z][\w-]*)(?::[\w.-]+)?(?<operator>[~<>:]?=)(?<value>(?:[^()\\\0]|\\[0-7][\da-f])*)\)/gi;
/** Stands for a filter that was read; no filter holds one itself. */
const READ = '\0';

const PAIR = String.raw`[A-Za-z][\w-]*=(?:[^,+"\\<>;=\0]|\\(?:[\dA-Fa-f]{2}|[ "#+,;<=>\\]))+`;
const NAME = new RegExp(`^${PAIR}(?: *[,+] *${PAIR})*$`);
const NAMING = /(?:^|[,+]) *([A-Za-z][\w-]*)=\{username\} *(?=[,+]|$)/;

/** With the one spelling of the place for the user's name. */
export function templateOf(written: string): string {
  return written.replaceAll(OLDER_PLACE, PLACE);
}

/** What is wrong with a filter, or nothing; reads on from its key. @see RFC 4515 */
export function filterFault(template: string): string | undefined {
  if (!isFilter(template)) return `must be an LDAP filter such as (uid=${PLACE})`;
  const asking = [...template.matchAll(ITEM)].filter(([item]) => item.includes(PLACE));
  if (asking.length === 0) return `must hold ${PLACE}, the place of the user name`;
  const isWide = asking.some(
    ({ groups }) => groups?.['operator'] !== '=' || groups['value']?.includes('*'),
  );
  return isWide ? `must compare ${PLACE} by = and without *, or it finds other users` : undefined;
}

/** The one attribute that the name as it stands is compared with; nothing where there are more, or none. */
export function comparedAttribute(template: string): string | undefined {
  const found = [...template.matchAll(ITEM)].filter(({ groups }) => groups?.['value'] === PLACE);
  const names = new Set(found.map(({ groups }) => groups?.['attribute']?.toLowerCase()));
  return names.size === 1 ? [...names][0] : undefined;
}

/** What is wrong with the name of an entry, or nothing; reads on from its key. @see RFC 4514 */
export function dnFault(dn: string): string | undefined {
  return NAME.test(dn) ? undefined : 'must be a distinguished name such as dc=example,dc=org';
}

/** What is wrong with the name of users' entries, or nothing. */
export function dnTemplateFault(template: string): string | undefined {
  const isTemplate = NAMING.test(template) && NAME.test(template.replace(PLACE, 'x'));
  return isTemplate && template.split(PLACE).length === 2
    ? undefined
    : `must be a distinguished name such as uid=${PLACE},ou=people,dc=example,dc=org`;
}

/** The attribute that has the user's name as its value in the name of the entry. */
export function namingAttribute(template: string): string | undefined {
  return NAMING.exec(template)?.[1]?.toLowerCase();
}

/** Reads from the inside out: comparisons first, then what joins them, until one filter is left. */
function isFilter(text: string): boolean {
  if (text.includes(READ)) return false;
  let rest = text.replace(ITEM, READ);
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replace(/\((?:[&|]\0+|!\0)\)/g, READ);
  }
  return rest === READ;
}
