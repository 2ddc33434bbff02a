// Validates filter and DN templates of the LDAP settings, without loading the LDAP library.

const PLACEHOLDER = '{username}';
const LEGACY_PLACEHOLDER = '{0}';

/** One comparison. Non-ASCII characters must be written literally, not escaped as `\c3\bc`. */
const COMPARISON =
  /\((?<attribute>[A-Za-z][\w-]*)(?::[\w.-]+)?(?<operator>[~<>:]?=)(?<value>(?:[^()\\\0]|\\[0-7][\da-f])*)\)/gi;
/** Replaces a parsed filter; it cannot occur in a filter. */
const PARSED = '\0';

const RDN = String.raw`[A-Za-z][\w-]*=(?:[^,+"\\<>;=\0]|\\(?:[\dA-Fa-f]{2}|[ "#+,;<=>\\]))+`;
const DN = new RegExp(`^${RDN}(?: *[,+] *${RDN})*$`);
const NAMING_RDN = /(?:^|[,+]) *([A-Za-z][\w-]*)=\{username\} *(?=[,+]|$)/;

/** Replaces the legacy placeholder by the current one. */
export function normalizeTemplate(text: string): string {
  return text.replaceAll(LEGACY_PLACEHOLDER, PLACEHOLDER);
}

/** The violation of a filter, or undefined. The message continues the key of the setting. @see RFC 4515 */
export function filterViolation(template: string): string | undefined {
  if (!isFilter(template)) return `must be an LDAP filter such as (uid=${PLACEHOLDER})`;
  const comparisons = [...template.matchAll(COMPARISON)].filter(([item]) =>
    item.includes(PLACEHOLDER),
  );
  if (comparisons.length === 0) return `must hold ${PLACEHOLDER}, the place of the user name`;
  const isWide = comparisons.some(
    ({ groups }) => groups?.['operator'] !== '=' || groups['value']?.includes('*'),
  );
  return isWide
    ? `must compare ${PLACEHOLDER} by = and without *, or it finds other users`
    : undefined;
}

/** The only attribute that is compared with the user name; undefined with several or none. */
export function comparedAttribute(template: string): string | undefined {
  const found = [...template.matchAll(COMPARISON)].filter(
    ({ groups }) => groups?.['value'] === PLACEHOLDER,
  );
  const names = new Set(found.map(({ groups }) => groups?.['attribute']?.toLowerCase()));
  return names.size === 1 ? [...names][0] : undefined;
}

/** The violation of a DN, or undefined. The message continues the key of the setting. @see RFC 4514 */
export function dnViolation(dn: string): string | undefined {
  return DN.test(dn) ? undefined : 'must be a distinguished name such as dc=example,dc=org';
}

/** The violation of a template for the DN of users, or undefined. */
export function dnTemplateViolation(template: string): string | undefined {
  const isTemplate = NAMING_RDN.test(template) && DN.test(template.replace(PLACEHOLDER, 'x'));
  return isTemplate && template.split(PLACEHOLDER).length === 2
    ? undefined
    : `must be a distinguished name such as uid=${PLACEHOLDER},ou=people,dc=example,dc=org`;
}

/** The attribute of the DN that contains the user name. */
export function namingAttribute(template: string): string | undefined {
  return NAMING_RDN.exec(template)?.[1]?.toLowerCase();
}

/** Reduces comparisons first, then the operators around them, until one filter is left. */
function isFilter(text: string): boolean {
  if (text.includes(PARSED)) return false;
  let rest = text.replace(COMPARISON, PARSED);
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replace(/\((?:[&|]\0+|!\0)\)/g, PARSED);
  }
  return rest === PARSED;
}
