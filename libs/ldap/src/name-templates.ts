// Inserts user names into filters and distinguished names, escaped against LDAP injection.

const PLACEHOLDER = '{username}';

/** The filter for exactly this user name. */
export function fillFilter(template: string, username: string): string {
  return template.replaceAll(PLACEHOLDER, () => escapeFilterValue(username));
}

/** The distinguished name for exactly this user name. */
export function fillDn(template: string, username: string): string {
  return template.replaceAll(PLACEHOLDER, () => escapeDnValue(username));
}

/** Escapes parentheses, wildcards, backslashes and NUL. @see RFC 4515 §3 */
export function escapeFilterValue(text: string): string {
  return text.replaceAll(/[\\*()\0]/g, hexadecimal);
}

/** Escapes separators, and spaces and `#` at the ends. @see RFC 4514 §2.4 */
function escapeDnValue(text: string): string {
  return text.replaceAll(/["+,;<=>\\\0]|^[ #]| $/g, hexadecimal);
}

function hexadecimal(character: string): string {
  return `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
