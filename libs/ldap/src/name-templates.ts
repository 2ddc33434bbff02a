// Owns how a user's name gets into a filter or into the name of an entry, so that it can only ever be a name there.

const PLACE = '{username}';

/** The filter that finds the user of exactly this name. */
export function fillFilter(template: string, username: string): string {
  return template.replaceAll(PLACE, () => escapeFilterValue(username));
}

/** The name of the entry of exactly this user. */
export function fillDn(template: string, username: string): string {
  return template.replaceAll(PLACE, () => escapeDnValue(username));
}

/** What opens, ends or widens a comparison is written as its hexadecimal value. @see RFC 4515 §3 */
function escapeFilterValue(text: string): string {
  return text.replaceAll(/[\\*()\0]/g, hexadecimal);
}

/** As well as what ends a value, or would not count at its ends. @see RFC 4514 §2.4 */
function escapeDnValue(text: string): string {
  return text.replaceAll(/["+,;<=>\\\0]|^[ #]| $/g, hexadecimal);
}

function hexadecimal(character: string): string {
  return `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
